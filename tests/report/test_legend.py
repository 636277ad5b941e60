from pathprior.report.legend import has_open_edges, supports_found
from pathprior.search.support import Support, edge_support


def test_the_legend_names_what_occurs(odd_fit, plain_fit):
    supports = edge_support(plain_fit)
    assert supports_found(supports) == (Support.DATA,)
    assert has_open_edges(supports) == bool(plain_fit.cpdag.undirected_edges)
    assert len(supports_found(edge_support(odd_fit))) > 1
