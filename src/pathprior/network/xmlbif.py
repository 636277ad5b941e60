"""Networks as XMLBIF, the XML form of BIF that many programs read."""

import os
from xml.etree import ElementTree as Xml

from pathprior.errors import NetworkError
from pathprior.files import saving
from pathprior.network.network import BayesianNetwork


def write_xmlbif(network: BayesianNetwork, path: str | os.PathLike[str]) -> None:
    """Write a discrete network to an XMLBIF file, version 0.3; whole or not at all.

    Numbers are written so that they read back to the last bit.
    """
    if not isinstance(network, BayesianNetwork):
        raise NetworkError(
            f"XMLBIF holds tables of states, not a {type(network).__name__}: use network.save"
        )
    with saving(path, NetworkError) as temporary:
        temporary.write_text(format_xmlbif(network), encoding="utf-8", newline="")


def format_xmlbif(network: BayesianNetwork) -> str:
    """Return the network as XMLBIF text.

    A table lists the first parent's states slowest and the child's own fastest.
    """
    root = Xml.Element("BIF", VERSION="0.3")
    inside = Xml.SubElement(root, "NETWORK")
    Xml.SubElement(inside, "NAME").text = "unknown"
    for node, states in zip(network.variables, network.states, strict=True):
        variable = Xml.SubElement(inside, "VARIABLE", TYPE="nature")
        Xml.SubElement(variable, "NAME").text = node
        for state in states:
            Xml.SubElement(variable, "OUTCOME").text = state
    for node, table in zip(network.variables, network.tables, strict=True):
        definition = Xml.SubElement(inside, "DEFINITION")
        Xml.SubElement(definition, "FOR").text = node
        for parent in network.dag.parents(node):
            Xml.SubElement(definition, "GIVEN").text = parent
        numbers = " ".join(map(repr, table.ravel().tolist()))
        Xml.SubElement(definition, "TABLE").text = numbers
    Xml.indent(root)
    text = Xml.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'
