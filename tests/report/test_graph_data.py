import numpy as np
import pytest

from pathprior.report.graph_data import describe_edge
from pathprior.search.support import EdgeSupport, Support


@pytest.mark.parametrize(
    ("data_loss", "prior_loss", "sentence"),
    [
        (2.0, 0.0, "Removing it lowers the data score by 2.00."),
        (2.0, 0.5, "Removing it lowers the data score by 2.00 and the prior score by 0.50."),
        (2.0, np.inf, "Removing it lowers the data score by 2.00 and breaks a hard belief."),
        (-1.0, np.inf, "Removing it breaks a hard belief."),
        (-1.0, 0.0, "Removing it lowers no score."),
    ],
)
def test_the_report_says_what_removing_an_edge_does(data_loss, prior_loss, sentence):
    support = Support.of(data=data_loss > 0, beliefs=prior_loss > 0)
    edge = EdgeSupport("a", "b", data_loss, prior_loss, support, True, False, False, data_loss)
    assert describe_edge(edge).endswith(f". {sentence}")
