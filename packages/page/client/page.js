import { Idiomorph } from 'idiomorph';
import { createPress } from './create-press.ts';

const root = document.documentElement;
const find = (selector, within = document) => within.querySelector(selector);
const findAll = (selector, within = document) => [...within.querySelectorAll(selector)];
const press = createPress({
  target: window,
  later: (callback, milliseconds) => void setTimeout(callback, milliseconds),
});

const timeOfDay = new Intl.DateTimeFormat(root.lang, { timeStyle: 'medium' });
const dayAndTime = new Intl.DateTimeFormat(root.lang, { dateStyle: 'medium', timeStyle: 'short' });
const exactTime = new Intl.DateTimeFormat(root.lang, { dateStyle: 'full', timeStyle: 'long' });
const withZone = new Intl.DateTimeFormat(root.lang, {
  ...{ year: 'numeric', month: 'short', day: 'numeric' },
  ...{ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
});

/** Puts times into the zone of whoever reads; of today, the time alone, unless the whole is wanted. The hover text has date, seconds and zone. */
function localizeTimes(part) {
  const today = new Date().toDateString();
  for (const time of findAll('time[datetime]', part)) {
    const date = new Date(time.dateTime);
    time.title = exactTime.format(date);
    const short = date.toDateString() === today ? timeOfDay : dayAndTime;
    time.textContent = ('whole' in time.dataset ? withZone : short).format(date);
  }
}

/** Brings a part up to date; what a person opened, typed or marked stays. What no person types is that of the server: it says what a button does. */
function morph(part, next) {
  Idiomorph.morph(part, next, {
    ignoreActiveValue: true,
    callbacks: {
      beforeAttributeUpdated: (name, node) => !(name === 'open' && node.tagName === 'DETAILS'),
      beforeNodeMorphed: (node) => !(node.nodeType === 1 && node.matches('input:not([type=hidden])')),
    },
  });
}

/** Loads a page; whoever shows it replaces nothing that is pressed. */
async function load(address) {
  const response = await fetch(address, { headers: { accept: 'text/html' }, cache: 'no-store' });
  const text = await response.text();
  await press.released();
  if (response.redirected) return location.reload();
  if (!response.ok) throw new Error(`The page answered ${response.status}`);
  const page = new DOMParser().parseFromString(text, 'text/html');
  localizeTimes(page);
  return page;
}

// Windows of a long list: each follows the one before it.

const windows = () => findAll('[data-window]');

function isSeen(part) {
  const { top, bottom } = part.getBoundingClientRect();
  return bottom >= 0 && top <= innerHeight;
}

/** Brings the windows that are seen up to date. What is below them is loaded anew when somebody gets there. */
async function refreshWindows(first) {
  const all = windows();
  const seen = all.filter(isSeen);
  const [top = all[0]] = seen;
  if (top === undefined) return;
  let address = top.dataset.window;
  for (const part of seen.length === 0 ? [top] : seen) {
    const page = part === all[0] ? first : await load(address);
    const next = page && find('[data-window]', page);
    if (!next) break;
    next.id = part.id;
    morph(part, next);
    address = part.dataset.next;
    dropDuplicates(part);
    if (address === '') break;
  }
  const last = seen.at(-1) ?? top;
  for (const part of all.slice(all.indexOf(last) + 1)) part.remove();
  setMore(last.dataset.next);
}

function dropDuplicates(part) {
  const known = new Set(findAll('[data-row]', part).map(({ dataset }) => dataset.row));
  for (const other of windows()) {
    if (other === part) continue;
    for (const row of findAll('[data-row]', other)) if (known.has(row.dataset.row)) row.remove();
  }
}

function setMore(address) {
  const more = find('#more');
  if (!more) return;
  more.hidden = !address;
  if (address) find('a', more).setAttribute('href', address);
}

let isLoadingMore = false;

async function loadMore() {
  const more = find('#more');
  const list = find('#windows');
  if (!more || !list || more.hidden || isLoadingMore) return;
  isLoadingMore = true;
  try {
    const page = await load(find('a', more).href);
    const next = page && find('[data-window]', page);
    if (next) {
      next.id = `window-${windows().length}`;
      list.append(document.adoptNode(next));
      dropDuplicates(next);
      setMore(next.dataset.next);
    }
  } finally {
    isLoadingMore = false;
  }
}

// Liveness

let source = null;
let delayMs = 1000;
let reconnect = 0;
let isRefreshing = false;
let isDirty = false;
let lastRefresh = 0;

function announce(page) {
  const texts = ['#summary', '#problems strong'].map((part) => find(part, page)?.textContent ?? '');
  const summary = texts.join(' ').replace(/\s+/g, ' ').trim();
  const before = root.dataset.summary;
  root.dataset.summary = summary ?? '';
  if (summary && before !== undefined && before !== summary)
    find('#announce').textContent = `${root.dataset.updatedWord}: ${summary}`;
}

async function refresh() {
  if (isRefreshing || document.hidden) {
    isDirty = true;
    return;
  }
  isRefreshing = true;
  isDirty = false;
  try {
    const page = await load(location.href);
    if (page) {
      for (const part of findAll('[data-live]')) {
        const next = part.id && page.getElementById(part.id);
        if (next) morph(part, next);
      }
      await refreshWindows(page);
      announce(page);
      showLive(true);
    }
  } catch {
    showLive(false);
    setTimeout(refreshSoon, 2000);
  } finally {
    lastRefresh = performance.now();
    isRefreshing = false;
    if (isDirty) refreshSoon();
  }
}

/** Milliseconds after which a page is read again although no run has changed: problems of the service end without an event. */
const idleMs = 20_000;

let planned = 0;

/** Refreshes now, and not more than four times in a second. */
function refreshSoon() {
  if (planned !== 0) return;
  planned = setTimeout(
    () => {
      planned = 0;
      refresh();
    },
    Math.max(0, 250 - (performance.now() - lastRefresh)),
  );
}

function showLive(isLive) {
  const sign = find('#live');
  if (!sign) return;
  sign.hidden = false;
  sign.classList.toggle('down', !isLive);
  sign.textContent = isLive ? root.dataset.liveWord : root.dataset.notLiveWord;
}

function concerns({ uuid, threadKey }) {
  const { uuid: own = '', thread = '' } = find('#main').dataset;
  if (own !== '') return uuid === null || uuid === own;
  return thread === '' || threadKey === null || threadKey === thread;
}

function connect() {
  clearTimeout(reconnect);
  if (source !== null || document.hidden) return;
  source = new EventSource(root.dataset.events);
  source.addEventListener('ready', () => {
    delayMs = 1000;
    showLive(true);
    refreshSoon();
  });
  source.addEventListener('change', ({ data }) => {
    if (concerns(JSON.parse(data))) refreshSoon();
  });
  source.onerror = () => {
    rest();
    showLive(false);
    reconnect = setTimeout(connect, delayMs * (0.5 + Math.random()));
    delayMs = Math.min(delayMs * 2, 30_000);
  };
}

function rest() {
  source?.close();
  source = null;
}

// Keys

function moveFocus(step) {
  const links = findAll('[data-row] a.name, [data-item]');
  const current = links.indexOf(document.activeElement);
  const next = links[current === -1 ? (step > 0 ? 0 : links.length - 1) : current + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, select, textarea');
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (isTyping) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  const search = find('#text');
  if (event.key === 'j') moveFocus(1);
  else if (event.key === 'k') moveFocus(-1);
  else if (event.key === '/' && search) search.focus();
  else return;
  event.preventDefault();
});

setInterval(() => {
  if (source !== null && performance.now() - lastRefresh >= idleMs) refreshSoon();
}, idleMs);
localizeTimes(document);
root.classList.add('scripted');
const more = find('#more');
if (more)
  new IntersectionObserver(([entry]) => entry.isIntersecting && loadMore(), { rootMargin: '800px' }).observe(
    more,
  );
if (root.dataset.events) {
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) {
      clearTimeout(reconnect);
      rest();
    } else connect();
  });
  addEventListener('pagehide', rest);
  addEventListener('pageshow', connect);
  announce(document);
  connect();
}
