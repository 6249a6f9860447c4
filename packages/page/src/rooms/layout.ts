import { assets } from '../assets/assets.ts';
import { foreignText } from '../html/foreign.ts';
import { type Markup, markup, type Part } from '../html/markup.ts';
import { problemBanner } from './problems.ts';
import type { Visit } from './visit.ts';

/** One page: its title, where it belongs and its content. */
export interface Sheet {
  readonly title: string;
  readonly room: 'board' | 'health' | 'audit' | 'login' | null;
  readonly content: Part;
  /** Uuid or key whose changes alone make the page new; null where every change does. */
  readonly follows?: { readonly uuid: string | null; readonly threadKey: string | null } | undefined;
  /** False for a page that stays as it is. */
  readonly isLive?: boolean | undefined;
}

/** Puts a page together: head, rooms, content, foot. */
export function layout(visit: Visit, sheet: Sheet): Markup {
  const { texts, base, locale } = visit;
  const { title, room, content, follows = null, isLive = false } = sheet;
  return markup`<!doctype html>
<html lang="${locale}" data-live-word="${texts.live}" data-not-live-word="${texts.notLive}" data-updated-word="${texts.updated}"${
    isLive && markup` data-events="${base}/events"`
  }>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title} · ${texts.product}</title>
<link rel="icon" href="${base}${assets.icon.path}" type="image/svg+xml">
<link rel="stylesheet" href="${base}${assets.style.path}">
<script src="${base}${assets.script.path}" defer></script>
</head>
<body>
<a class="skip" href="#main">${texts.skip}</a>
${header(visit, sheet)}
<main id="main" tabindex="-1"${
    follows !== null && markup` data-uuid="${follows.uuid ?? ''}" data-thread="${follows.threadKey ?? ''}"`
  }>
${room !== 'health' && problemBanner(visit)}
${content}
</main>
<p id="announce" class="unseen" role="status" aria-live="polite"></p>
${footer(visit)}
</body>
</html>
`;
}

function header({ texts, base, actor, hasSession, csrf }: Visit, { room, isLive = false }: Sheet): Markup {
  const link = (name: 'board' | 'health' | 'audit', path: string): Markup =>
    markup`<li><a href="${base}${path}"${room === name && markup` aria-current="page"`}>${texts[name]}</a></li>`;
  return markup`<header class="top">
<nav aria-label="${texts.rooms}"><ul>${link('board', '/')}${link('health', '/health')}${actor !== null && link('audit', '/audit')}</ul></nav>
${isLive && markup`<p id="live" class="live" hidden></p>`}
<div class="who">${
    actor === null
      ? room !== 'login' && markup`<a href="${base}/login">${texts.login}</a>`
      : markup`<span><span class="unseen">${texts.loggedInAs} </span>${foreignText(actor, { maxChars: 40 })}</span>`
  }${
    hasSession &&
    markup`<form method="post" action="${base}/logout"><input type="hidden" name="csrf" value="${csrf}"><button class="quiet">${texts.logout}</button></form>`
  }</div>
</header>`;
}

function footer({ texts, locale, path }: Visit): Markup {
  const [address = '', query = ''] = path.split('?');
  const parameters = new URLSearchParams(query);
  const link = (code: 'en' | 'ja', name: string): Markup => {
    parameters.set('lang', code);
    const here = code === locale && markup` aria-current="true"`;
    return markup`<li><a href="${address}?${parameters.toString()}" lang="${code}" hreflang="${code}"${here}>${name}</a></li>`;
  };
  return markup`<footer><nav aria-label="${texts.language}"><ul>${link('en', 'English')}${link('ja', '日本語')}</ul></nav><p class="keys">${texts.keys}</p></footer>`;
}
