"""`Desk`: a session with those who work for it, and whoever wants to hear of what changes."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pathprior.beliefs.event import Event
from pathprior.errors import StudioError
from pathprior.studio.changes import Change
from pathprior.studio.exports import REPORT, format_dagitty, format_script, write_files
from pathprior.studio.kept_run import KeptRun, fingerprint, read_run, write_run
from pathprior.studio.overlay import overlay
from pathprior.studio.readers import READING, RangeAsked, careful_handler, quick_handler
from pathprior.studio.runs import RUN, RunAsked, run_handler
from pathprior.studio.session import Session
from pathprior.studio.workers import GONE, Message, Say, Worker

TIME_LIMIT = 60.0
"""Seconds for weighing graphs, unless somebody says otherwise."""

Publish = Callable[[str, Any], None]
Post = Callable[[Callable[[], None]], object]
"""Calls a function in the thread of the session."""
Answer = Callable[[Message], None]


class Desk:
    """All that the page talks to, in one thread; a change may come in another, one at a time."""

    def __init__(self, session: Session, publish: Publish, post: Post) -> None:
        self.session = session
        self._publish = publish
        self._post = post
        self._room = TemporaryDirectory(prefix="pathprior-studio-")
        self._quick = Worker(quick_handler, self._to_thread(self._hear_reading))
        self._careful = Worker(careful_handler, self._to_thread(self._hear_reading))
        self._runner: Worker | None = None
        self._waiting: dict[str, Answer] = {}
        self._num_ranges = 0
        self._is_gone = False
        self.reading: dict[str, Any] | None = None
        self._reading_of = session.document.speaker
        self._run_of = ""
        self.run = self._last_run()
        self._ask_readings()

    def close(self) -> None:
        """End all processes, and forget what was not kept."""
        for worker in (self._quick, self._careful, self._runner):
            if worker is not None:
                worker.end()
        self._runner = None
        self._room.cleanup()

    # -- the document ----------------------------------------------------------------------------

    def view(self) -> dict[str, Any]:
        """The session, its last reading and the last run, as JSON values."""
        return {"session": self._view_session(), "reading": self.reading, "run": self.run}

    def change(self, revision: int, change: Change) -> None:
        """Change the document, undo or redo."""
        match change.get("kind"):
            case "undo":
                self.session.undo(revision)
            case "redo":
                self.session.redo(revision)
            case _:
                self.session.change(revision, change)

    def changed(self) -> None:
        """Tell everybody, and ask what follows."""
        self._publish("session", self._view_session())
        if self.session.document.speaker != self._reading_of:
            # nobody sees what follows from what others said
            self._reading_of, self.reading = self.session.document.speaker, None
            self._publish("reading", None)
        self._ask_readings()

    def _view_session(self) -> dict[str, Any]:
        return self.session.view() | {"overlay": overlay(self.session.document)}

    # -- readings --------------------------------------------------------------------------------

    def ask_range(self, question: dict[str, Any], answer: Answer) -> None:
        """Ask what other beliefs leave to a statement; ``answer`` is called with the message.

        A question about an earlier revision has no answer: the session has changed on its way, and
        the page asks again when it hears of that.
        """
        if self._is_gone:
            answer(Message("", 0, Say.ERROR, GONE))
            return
        session, stated = self.session, self.session.stated()
        if question.get("revision") != session.revision:
            answer(Message("", 0, Say.ANSWER, None))
            return
        x, y, relation = (str(question.get(name)) for name in ("x", "y", "relation"))
        Event.parse(relation)
        for name in (x, y):
            if name not in session.variables or x == y:
                raise StudioError(f"a statement is about two variables, not {x!r} and {y!r}")
        source = session.document.speaker or str(question.get("source", ""))
        self._num_ranges += 1  # a topic of its own: each gets its answer
        topic = f"range {self._num_ranges}"
        self._quick.ask(topic, RangeAsked(stated, x, relation, y, source))
        self._waiting[topic] = answer

    def hang_up(self) -> None:
        """Tell everybody who waits for an answer, or asks from now on, that none will come."""
        self._is_gone = True
        for topic in list(self._waiting):
            self._waiting.pop(topic)(Message("", 0, Say.ERROR, GONE))

    def _ask_readings(self) -> None:
        stated = self.session.stated()
        self._quick.ask(READING, stated)
        self._careful.ask(READING, stated)

    def _hear_reading(self, message: Message) -> None:
        if message.content == GONE:
            self.hang_up()
        if message.topic in self._waiting:
            self._waiting.pop(message.topic)(message)
        elif message.say is Say.PROGRESS:
            self._publish("progress", message.content)
        elif message.say is Say.ERROR:
            # what the quick reader has found still stands
            found = self.reading or {"revision": self.session.revision}
            self.reading = found | {"error": message.content}
            self._publish("reading", self.reading)
        elif message.content["revision"] == self.session.revision:
            self._take(message.content)

    def _take(self, reading: dict[str, Any]) -> None:
        """Keep the better of two readings; what only the careful one has stays until the next."""
        before = self.reading or {}
        is_same = before.get("revision") == reading["revision"]
        if is_same and before.get("isFinal"):
            return
        kept = {name: before.get(name, []) for name in ("questions", "disagreements")}
        self.reading = kept | reading
        self._publish("reading", self.reading)

    # -- runs ------------------------------------------------------------------------------------

    def start_run(self, time_limit: float) -> None:
        """Learn from the data and all beliefs, in a process of its own."""
        session = self.session
        document, data = session.document, session.document.data
        if session.preparation is None or data is None:
            raise StudioError("there are no data to learn from: open a data file first")
        if not 1 <= time_limit <= 86_400:
            raise StudioError(f"the time limit is from 1 to 86400 seconds, not {time_limit!r}")
        self.cancel_run()
        known = set(session.variables)
        asked = RunAsked(
            revision=session.revision,
            data=session.folder.place(data),
            remedies=document.remedies,
            beliefs=tuple(
                entry.pooled
                for entry in document.entries
                if {entry.belief.x, entry.belief.y} <= known
            ),
            tiers=tuple(tuple(n for n in tier if n in known) for tier in document.tiers),
            expected_parents=document.expected_parents,
            time_limit=float(time_limit),
            report=self.report,
        )
        self._run_of = fingerprint(session.folder, document)
        self._runner = Worker(run_handler, self._to_thread(self._hear_run))
        self._runner.ask(RUN, asked)
        self._tell_run(state="running", timeLimit=time_limit, stage="Starting", detail="")

    def cancel_run(self) -> None:
        """End a run under way, whatever it does; its results are lost."""
        if self._runner is not None:
            self._runner.end()
            self._runner = None
            self._tell_run(state="cancelled", timeLimit=self.run["timeLimit"])

    def _hear_run(self, message: Message) -> None:
        limit = self.run["timeLimit"]
        if message.say is Say.PROGRESS:
            stage, detail = message.content
            self._tell_run(state="running", timeLimit=limit, stage=stage, detail=detail)
            return
        if self._runner is not None:
            self._runner.end()
            self._runner = None
        if message.say is Say.ERROR:
            self._tell_run(state="failed", timeLimit=limit, error=message.content)
        else:
            result = self._kept(limit, message.content)
            self._tell_run(state="done", timeLimit=limit, result=result)

    def _kept(self, time_limit: float, result: dict[str, Any]) -> dict[str, Any]:
        """Keep what a run found for the next start; return it, with a warning where that failed."""
        folder = self.session.folder
        try:
            report = self.report.read_text(encoding="utf-8")
            write_run(KeptRun(self._run_of, time_limit, result, report), folder.last_run)
        except StudioError as error:
            lost = f"{error}; this run is lost when the studio ends"
            return result | {"warnings": [*result["warnings"], lost]}
        return result

    def _last_run(self) -> dict[str, Any]:
        """The run that an earlier start has left; it is old if what it was made from is not now."""
        session = self.session
        none = {"timeLimit": TIME_LIMIT}
        try:
            kept = read_run(session.folder.last_run)
        except StudioError as error:
            return none | {"state": "failed", "error": str(error)}
        if kept is None:
            return none | {"state": "none"}
        self.report.write_text(kept.report, encoding="utf-8")
        is_now = kept.about == fingerprint(session.folder, session.document)
        result = kept.result | {"revision": session.revision if is_now else 0}
        return {"state": "done", "timeLimit": kept.time_limit, "result": result}

    def _tell_run(self, **state: Any) -> None:
        self.run = state
        self._publish("run", state)

    # -- what stays ------------------------------------------------------------------------------

    @property
    def report(self) -> Path:
        """Where the report of the last run lies until it is kept."""
        return Path(self._room.name) / REPORT

    def keep(self) -> list[str]:
        """Write script, report and network to the folder."""
        session = self.session
        return write_files(
            session.folder,
            session.document,
            session.preparation,
            time_limit=self.run["timeLimit"],
            result=self.run.get("result"),
            report=self.report,
        )

    def script(self) -> str:
        """The script that repeats everything."""
        session = self.session
        if session.preparation is None:
            raise StudioError("there are no data to learn from: open a data file first")
        limit = self.run["timeLimit"]
        return format_script(
            session.folder, session.document, session.preparation, time_limit=limit
        )

    def dagitty(self) -> str:
        """The network of the last run."""
        if self.run["state"] != "done":
            raise StudioError("there is no network yet: run first")
        return format_dagitty(self.run["result"])

    def _to_thread(self, hear: Callable[[Message], None]) -> Callable[[Message], None]:
        def pass_on(message: Message) -> None:
            self._post(lambda: hear(message))

        return pass_on
