"""The performer: acts out scripted tasks and returns clips; what ships as data is made here."""

from .dataset import VERSION, dataset_hash, default_clips, first_minute, perform_all
from .medley import medley
from .skeleton import SKELETON
from .tasks import Task, all_tasks, perform, task

__all__ = [
    "SKELETON",
    "VERSION",
    "Task",
    "all_tasks",
    "dataset_hash",
    "default_clips",
    "first_minute",
    "medley",
    "perform",
    "perform_all",
    "task",
]
