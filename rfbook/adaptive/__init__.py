"""Features that look at the data: they are chosen, weighed, resampled, moved, stretched or pruned."""

from .eerf_map import EERF
from .gradients import RecursiveFeatureMachineClassifier, RecursiveFeatureMachineRegressor
from .leverage import LeverageScoreFeatures
from .metropolis import MetropolisFourierFeatures, MetropolisSigmoidFeatures
from .prune import HARFERegressor, SRFFRegressor
from .stretch import RFFNetClassifier, RFFNetRegressor
from .weigh import LKRF, SES

__all__ = ["EERF", "HARFERegressor", "LKRF", "LeverageScoreFeatures", "MetropolisFourierFeatures",
           "MetropolisSigmoidFeatures", "RFFNetClassifier", "RFFNetRegressor", "RecursiveFeatureMachineClassifier",
           "RecursiveFeatureMachineRegressor", "SES", "SRFFRegressor"]
