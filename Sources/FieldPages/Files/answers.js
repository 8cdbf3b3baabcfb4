// An answer is sent in the background, and only the parts that it changes are drawn again: a whole page
// with 200 items takes longer. Without this script the form leads to the same page.

const changing = ["#items", ".needs", ".task-actions"];

// Puts what differs in a part of a page in place of what is shown. The rows of a list are compared one
// by one: of 200 items, an answer changes two.
const put = (shown, fresh) => {
  if (shown.isEqualNode(fresh)) return;
  const [olds, news] = [[...shown.children], [...fresh.children]];
  const isList = shown.matches("#items, #items > ol");
  if (!isList || olds.length !== news.length) return shown.replaceWith(document.adoptNode(fresh));
  olds.forEach((old, place) => put(old, news[place]));
};

// Puts the list of a page in place of the one that is shown. Returns false if it has none.
const draw = (text) => {
  const page = new DOMParser().parseFromString(text, "text/html");
  if (!page.querySelector("#items")) return false;
  for (const part of changing) {
    const [shown, fresh] = [document.querySelector(part), page.querySelector(part)];
    if (shown && fresh) put(shown, fresh);
  }
  const open = document.querySelector("#items .open-item")?.closest("li");
  open?.scrollIntoView();
  const field = document.querySelector("#items [autofocus]");
  if (field) return field.focus({ preventScroll: true }) ?? true;
  // The keyboard and a screen reader go on at the item.
  if (open) open.tabIndex = -1;
  open?.focus({ preventScroll: true });
  return true;
};

let isBusy = false;
const send = async (form) => {
  isBusy = true;
  try {
    const answer = await fetch(form.action, {
      method: "POST", body: new URLSearchParams(new FormData(form)),
    });
    const address = new URL(answer.url);
    // The last answer leads to a page with more to say, and a lost session to the sign-in. Another
    // refusal has a page of its own, to which the form leads.
    const isList = answer.status === 422 || (answer.ok && !address.searchParams.has("done"));
    if (!isList || !draw(await answer.text())) {
      return answer.redirected ? location.assign(address) : form.submit();
    }
    if (answer.ok) history.replaceState(null, "", address);
  } catch {
    // The form's own way says what is wrong.
    form.submit();
  } finally {
    isBusy = false;
  }
};

document.addEventListener("submit", (event) => {
  if (!event.target.closest("#items")) return;
  event.preventDefault();
  if (!isBusy) send(event.target);
});
