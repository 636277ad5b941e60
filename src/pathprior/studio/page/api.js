// What the server knows, kept up to date, and how to change it.
export const state = {
  session: null,
  reading: null,
  run: { state: "none" },
  progress: null,
  isConnected: false,
};

const listeners = [];
export const subscribe = (listener) => listeners.push(listener);
const tell = (what) => listeners.forEach((listener) => listener(what));

export const notice = (text) => {
  const place = document.getElementById("notice");
  place.textContent = text;
  place.hidden = !text;
};

const take = (what, content) => {
  state[what] = content;
  if (what === "reading") state.progress = null;
  tell(what);
};

export const listen = () => {
  const events = new EventSource("api/events");
  const on = (kind, act) => events.addEventListener(kind, (event) => act(JSON.parse(event.data)));
  on("state", (all) => {
    state.isConnected = true;
    for (const what of ["session", "reading", "run"]) take(what, all[what]);
  });
  for (const what of ["session", "reading", "run", "progress"]) on(what, (content) => take(what, content));
  events.addEventListener("error", () => {
    state.isConnected = false;
    tell("connection");
  });
};

export const send = async (path, content, method = "POST") => {
  const body = content instanceof Blob ? content : JSON.stringify(content);
  try {
    return await fetch(`api/${path}`, { method, body });
  } catch {
    return new Response("The studio does not answer: was it ended?", { status: 503 });
  }
};

// Changes go one after the other, each to the revision that the one before has made.
let last = Promise.resolve(true);
export const change = (kind, content = {}) => {
  last = last.then(async () => {
    const answer = await send("change", { revision: state.session.revision, change: { kind, ...content } });
    if (answer.ok) {
      state.session.revision = (await answer.json()).revision;
      notice("");
      return true;
    }
    if (answer.status === 409) {
      const all = await answer.json();
      for (const what of ["session", "reading", "run"]) take(what, all[what]);
      notice("Another tab was quicker: this one shows its changes now. Look, and try again.");
    } else notice(await answer.text());
    return false;
  });
  return last;
};

export const ask = async (path, content, method) => {
  const answer = await send(path, content, method);
  if (!answer.ok) {
    notice(await answer.text());
    return null;
  }
  notice("");
  return answer.json();
};
