import { createHash } from 'node:crypto';
import type { RunView } from '@agent/orchestrator/watch';
import type { Locale } from '@agent/text';
import { checkOptions, expectOneOf } from '@agent/text/options';
import { assets } from './assets/assets.ts';
import { foreignWords } from './html/foreign.ts';
import { Markup, markup } from './html/markup.ts';
import { heldList } from './rooms/next-step.ts';
import { runHead, runSide, runTitle } from './rooms/run-room.ts';
import { timeline } from './rooms/timeline.ts';
import { textsOf, type Visit } from './rooms/visit.ts';

/** Options of `formatRunFile`. */
export interface RunFileOptions {
  /** Default: `en`. */
  readonly locale?: Locale | undefined;
}

/**
 * Writes one run as a file of HTML that needs nothing else: its style is in it, no script is, and its own policy lets it load nothing.
 *
 * @example
 * await writeFile('run.html', formatRunFile(run));
 */
export function formatRunFile(run: RunView, options: RunFileOptions = {}): string {
  checkOptions('RunFileOptions', options, { locale: expectOneOf('en', 'ja') });
  const { locale = 'en' } = options;
  const texts = textsOf(locale);
  const style = assets.style.text.replaceAll('</', '<\\/');
  const hash = createHash('sha256').update(style).digest('base64');
  const visit: Visit = {
    locale,
    texts,
    base: '',
    path: '/',
    actor: null,
    hasSession: false,
    csrf: '',
    now: run.startedAt + run.elapsedMs,
    createNonce: () => '',
  };
  const file = markup`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${foreignWords(run.row.name, { maxChars: 100 })} · ${texts.product}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main id="main">
${runTitle(run)}
${runHead(run, visit)}${heldList(run, visit)}
<div class="split"><div>${timeline(run, { visit, limit: run.timeline.length, isFile: true })}</div><div>${runSide(run, visit)}</div></div>
</main>
</body>
</html>
`;
  return file.toString();
}
