"""The rules a third time, as constraints for Z3: written from the specification, sharing only the vocabulary."""
