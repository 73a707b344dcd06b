"""The judge: drives any scheduler beside the reference model, compares, explains and reports."""
