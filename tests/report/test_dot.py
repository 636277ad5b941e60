from pathprior import Dag
from pathprior.report.dot import to_dot
from pathprior.report.draw import BeliefMark
from pathprior.report.legend import Verdict


def test_open_edges_are_dashed_and_beliefs_marked():
    dag = Dag.from_edges("xyzw", [("x", "y"), ("z", "y"), ("y", "w")])
    open_edge = Dag.from_edges("xy", [("x", "y")])
    assert "dashed" not in to_dot(dag)
    assert '"x" -> "y" [style=dashed];' in to_dot(open_edge, open_edges=[("x", "y")])
    marks = [BeliefMark("x", "w", verdict) for verdict in Verdict]
    text = to_dot(dag, marks=marks)
    assert text.count("dir=none") == 3
    for verdict in Verdict:
        assert text.count(verdict.colour) == 1


def test_odd_names_are_quoted():
    dag = Dag.from_edges(['say "hi"', "back\\slash"], [('say "hi"', "back\\slash")])
    assert r'"say \"hi\"" -> "back\\slash";' in to_dot(dag)
