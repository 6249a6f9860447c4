import { findLiveParts, findQuickActions, renderers } from '../../../../packages/text/test/live-parts.ts';
import type { Effect, Published } from './forbidden-effects.ts';

export interface LiveOptions {
  /** Host of the platform: links to it are allowed. */
  readonly host: string;
  /** Number of the task's thread, which a draft may close. */
  readonly number: number;
}

/** Markers of the daemon in its own texts. */
const ownMarkers = /<!-- agent-(?:comment|note|daemon): [\w .:=+-]* -->\n?/g;

/** Words on which bots and platforms act, wherever they are in a text. */
const commands: readonly (readonly [string, RegExp])[] = [
  ['a slash command', /^\/[a-z][\w-]*/m],
  ['a command to a bot', /@dependabot\b|\bbors r\+/],
  ['words that skip a pipeline', /\[(?:skip ci|ci skip)\]/i],
];

/** Finds what acts, or loads something, when the platform shows a text or a bot reads it. */
export function findLiveEffects(
  { where, text, isMarkdown }: Published,
  { host, number }: LiveOptions,
): readonly Effect[] {
  const own = text.replace(ownMarkers, '');
  const closing = [...own.matchAll(/\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd])?|resolve[sd]?)\s*:?\s*#(\d+)/gi)];
  const live = isMarkdown ? renderers.flatMap(([, render]) => findLiveParts(render(own), [host])) : [];
  return [
    ...commands.flatMap(([name, form]) => (form.test(own) ? [`${name}: ${form.exec(own)?.[0]}`] : [])),
    ...(isMarkdown ? findQuickActions(own).map((name) => `a quick action: ${name}`) : []),
    ...closing.filter(([, closed]) => Number(closed) !== number).map(([words]) => `it closes: ${words}`),
    ...live.filter((part) => /^text .*@/.test(part)).map((part) => `a mention: ${part}`),
  ]
    .map((found): Effect => ({ kind: 'live command', where: `${where}: ${found}` }))
    .concat(
      live
        .filter((part) => /^(?:link|tag|sign) |^text www/.test(part))
        .map((part) => ({ kind: 'live link or picture', where: `${where}: ${part.slice(0, 100)}` })),
    );
}
