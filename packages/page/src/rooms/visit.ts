import type { ProblemView } from '@agent/orchestrator/watch';
import type { Locale } from '@agent/text';
import { en } from '../texts.en.ts';
import { ja } from '../texts.ja.ts';

/** One request of a person, with what it may see. */
export interface Visit {
  readonly locale: Locale;
  readonly texts: typeof en;
  /** Prefix of every address of the page, such as `/agents`; empty at the root. */
  readonly base: string;
  /** Path and query without the choice of a language. */
  readonly path: string;
  /** Name of whoever is logged in; null for a stranger. */
  readonly actor: string | null;
  /** True where the login is the page's own and can be ended. */
  readonly hasSession: boolean;
  /** Goes into every form. */
  readonly csrf: string;
  /** Problems of the service, which each page shows. Default none. */
  readonly problems?: readonly ProblemView[] | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Makes a value by which a form is known, so that it is obeyed once. */
  readonly createNonce: () => string;
}

/** Chooses the texts of a language. */
export function textsOf(locale: Locale): typeof en {
  return locale === 'ja' ? ja : en;
}

/** Chooses a language: the person's own choice, the page's setting, the browser's wish, English. */
export function chooseLocale(choice: {
  readonly chosen: string | undefined;
  readonly setting: Locale | 'auto';
  readonly acceptLanguage: string | undefined;
}): Locale {
  if (choice.chosen === 'ja' || choice.chosen === 'en') return choice.chosen;
  if (choice.setting !== 'auto') return choice.setting;
  const wishes = (choice.acceptLanguage ?? '').slice(0, 500).split(',').map(toWish);
  const best = wishes
    .toSorted((one, other) => other.weight - one.weight)
    .find(({ name }) => /^(ja|en)$/.test(name));
  return best?.name === 'ja' ? 'ja' : 'en';
}

function toWish(wish: string): { readonly name: string; readonly weight: number } {
  const [tag = '', ...parameters] = wish.trim().toLowerCase().split(';');
  const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
  return { name: tag.split('-')[0] ?? '', weight: quality === undefined ? 1 : Number(quality) };
}

/** Kind of page that a task has on its platform. `task`: that of a custom platform. */
type ThreadKind = 'issue' | 'pullRequest' | 'mergeRequest' | 'task';

/** Reads the kind from a thread key such as `github_issue:acme:shop:42`. */
export function threadKindOf(threadKey: string): ThreadKind {
  const [type] = threadKey.split(':');
  if (type === 'github_issue' || type === 'gitlab_issue') return 'issue';
  if (type === 'github_pull_request') return 'pullRequest';
  return type === 'gitlab_merge_request' ? 'mergeRequest' : 'task';
}

/** Address of a run's room. */
export function runAddress({ base }: Pick<Visit, 'base'>, uuid: string): string {
  return `${base}/runs/${encodeURIComponent(uuid.toWellFormed())}`;
}

/** Address of a thread's room. */
export function threadAddress({ base }: Pick<Visit, 'base'>, key: string): string {
  return `${base}/threads/${encodeURIComponent(key.toWellFormed())}`;
}
