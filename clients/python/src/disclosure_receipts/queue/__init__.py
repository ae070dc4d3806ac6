"""The non-blocking mode: disclosures go to a bounded queue on disk and from there to the service."""

from .callbacks import QueuedDisclosure
from .delivery import QueueClient
from .durable_queue import DurableQueue

__all__ = ["DurableQueue", "QueueClient", "QueuedDisclosure"]
