// The widget: sends what is written, and shows each AI message with its label and its receipt.

const find = (id) => document.getElementById(id);
const [form, text, messages, problem] = ["form", "text", "messages", "problem"].map(find);

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const written = text.value.trim();
  if (written === "" || form.inert) return;
  form.inert = true;
  problem.textContent = "";
  try {
    const reply = await send(written);
    showOwn(written);
    showReply(reply);
    form.reset();
  } catch {
    problem.textContent = "That did not work. Please try again.";
  }
  form.inert = false;
  text.focus();
});

text.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});

async function send(written) {
  const response = await fetch("/api/messages", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: written }),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

function showOwn(written) {
  const item = document.createElement("article");
  item.className = "own";
  item.ariaLabel = "You";
  item.textContent = written;
  show(item);
}

function showReply({ text: said, label, receipt, verify }) {
  const item = find("ai").content.cloneNode(true).firstElementChild;
  const write = (name, value) => {
    item.querySelector(`.${name}`).textContent = value;
  };
  write("label", label);
  write("text", said);
  const details = item.querySelector("details");
  if (receipt === null) details.replaceWith(laterNote());
  else fill(item, write, receipt, verify);
  show(item);
}

function fill(item, write, receipt, verify) {
  const [{ issued_at, turn, verdict }] = receipt.receipts;
  write("event", receipt.event_id);
  write("issued", new Date(issued_at).toLocaleString());
  write("turn", `number ${turn} of this chat`);
  write("verdict", verdict === "ALLOW" ? "approved" : verdict);
  const file = new Blob([JSON.stringify(receipt)], { type: "application/json" });
  Object.assign(item.querySelector(".save"), {
    href: URL.createObjectURL(file),
    download: `receipt-${receipt.event_id}.json`,
  });
  item.querySelector(".verify").href = verify;
}

function laterNote() {
  const note = document.createElement("p");
  note.className = "later";
  note.textContent = "The receipt is on its way; it will be among all receipts of this chat.";
  return note;
}

function show(item) {
  messages.append(item);
  item.scrollIntoView({ block: "nearest" });
}
