"""What a volume is made of, in a pod or as a persistent volume."""

from attrs import frozen

from model.api.objects.meta import Int32


@frozen
class GCEPersistentDisk:
    pd_name: str = ""
    read_only: bool = False


@frozen
class AWSElasticBlockStore:
    volume_id: str = ""
    read_only: bool = False


@frozen
class ISCSIDisk:
    target_portal: str = ""
    iqn: str = ""
    lun: Int32 = 0
    read_only: bool = False

    @property
    def unit(self) -> tuple[str, str, int]:
        """What one disk is."""
        return self.target_portal, self.iqn, self.lun


@frozen
class RBDImage:
    monitors: tuple[str, ...] = ()
    image: str = ""
    pool: str = ""
    read_only: bool = False


@frozen
class AzureDisk:
    disk_name: str = ""


@frozen
class CinderVolume:
    volume_id: str = ""


@frozen
class CSIVolumeSource:
    driver: str = ""
    volume_handle: str = ""
