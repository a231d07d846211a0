"""Features that look at the data: they are chosen, weighed, resampled, moved, stretched or pruned."""

from .eerf_map import EERF
from .recursive_machines import RecursiveFeatureMachineClassifier, RecursiveFeatureMachineRegressor
from .leverage_map import LeverageScoreFeatures
from .metropolis_maps import MetropolisFourierFeatures, MetropolisSigmoidFeatures
from .prune import HARFERegressor, SRFFRegressor
from .stretch import RFFNetClassifier, RFFNetRegressor
from .weigh_maps import LKRF, SES

__all__ = ["EERF", "HARFERegressor", "LKRF", "LeverageScoreFeatures", "MetropolisFourierFeatures",
           "MetropolisSigmoidFeatures", "RFFNetClassifier", "RFFNetRegressor", "RecursiveFeatureMachineClassifier",
           "RecursiveFeatureMachineRegressor", "SES", "SRFFRegressor"]
