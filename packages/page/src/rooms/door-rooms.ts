import { foreignText } from '../html/foreign.ts';
import { type Markup, markup } from '../html/markup.ts';
import { layout } from './layout.ts';
import type { Visit } from './visit.ts';

/** Form that takes a token once. */
export function loginRoom(
  visit: Visit,
  {
    error,
    command,
  }: { readonly error: 'loginFailed' | 'loginTooOften' | null; readonly command: string | null },
): Markup {
  const { texts, base, csrf } = visit;
  const content = markup`<div class="narrow"><h1>${texts.login}</h1>
<p>${texts.loginHow}</p>
${command !== null && markup`<p>${texts.loginCommand} <code>${command}</code></p>`}
${error !== null && markup`<p class="notice bad" role="alert" id="login-error">${texts[error]}</p>`}
<form method="post" action="${base}/login" class="login">
<input type="hidden" name="csrf" value="${csrf}">
<label for="token">${texts.token}</label>
<input id="token" name="token" type="password" required maxlength="500" autocomplete="off" spellcheck="false"${
    error !== null && markup` aria-invalid="true" aria-describedby="login-error"`
  }>
<button class="primary">${texts.login}</button>
</form></div>`;
  return layout(visit, { title: texts.login, room: 'login', content });
}

/** Page that says what went wrong and what to do. */
export function problemRoom(
  visit: Visit,
  { kind, reason }: { readonly kind: string; readonly reason: string | null },
): Markup {
  const { texts, base } = visit;
  const [title, advice] = texts.problems[kind] ?? texts.problems.failed ?? ['', ''];
  const content = markup`<div class="narrow"><h1>${title}</h1>
${reason !== null && markup`<p class="notice">${foreignText(reason, { maxChars: 1000 })}</p>`}
<p>${advice}</p>
<p><a href="${base}/">${texts.home}</a>${kind === 'unauthorized' && markup` · <a href="${base}/login">${texts.login}</a>`}</p></div>`;
  return layout(visit, { title, room: null, content });
}
