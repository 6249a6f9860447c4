import type { ShownProblem, View } from './compare-views.ts';

/** A problem in the JSON of `status --json` and `/readyz`. */
interface ProblemJson {
  readonly cause: string;
  readonly what: string;
  readonly since: string | null;
  readonly remedy: string;
}

/** A process that can be asked. */
export interface AskedProcess {
  readonly name: string;
  /** Address of its endpoints; null if it has not opened them yet. */
  readonly url: string | null;
}

export interface ReadViewsOptions {
  /** Runs `agent-daemon status --json`. @returns its standard output */
  readonly runStatus: () => Promise<string>;
  /** Headers that log in to the web UI. */
  readonly headers: Readonly<Record<string, string>>;
}

const longestAnswerMs = 10_000;

/** Asks `status` and all endpoints of the processes what is wrong. */
export async function readViews(
  processes: readonly AskedProcess[],
  { runStatus, headers }: ReadViewsOptions,
): Promise<readonly View[]> {
  const get = async ({ url }: AskedProcess, path: string): Promise<string> => {
    if (url === null) throw new Error('it serves nothing yet');
    const answer = await fetch(url + path, { headers, signal: AbortSignal.timeout(longestAnswerMs) });
    return answer.text();
  };
  const ask = async (name: string, read: () => Promise<readonly ShownProblem[]>): Promise<View> => ({
    name,
    problems: await read().catch(() => null),
  });
  const texts = await Promise.all([
    ask('status', async () => parseProblems(JSON.parse(await runStatus()).service)),
    ...processes.map((process) =>
      ask(`${process.name} /readyz`, async () => parseProblems(JSON.parse(await get(process, '/readyz')))),
    ),
    ...processes.map((process) =>
      ask(`${process.name} /metrics`, async () => parseMetrics(await get(process, '/metrics'), Date.now())),
    ),
  ]);
  const causes = new Map(
    texts.flatMap(({ problems }) => problems ?? []).map(({ what, cause }) => [what, cause]),
  );
  const pages = await Promise.all(
    processes.map((process) =>
      ask(`${process.name} /health`, async () => parseHealth(await get(process, '/health'), causes)),
    ),
  );
  return [...texts, ...pages];
}

function parseProblems({ problems }: { readonly problems: readonly ProblemJson[] }): readonly ShownProblem[] {
  return problems.map(({ cause, what, since, remedy }) => ({
    ...{ cause, what, remedy },
    since: since === null ? null : Date.parse(since),
  }));
}

/** Reads the causes and their ages. `now`: milliseconds since 1970. @throws Error for an answer that has no metrics */
function parseMetrics(text: string, now: number): readonly ShownProblem[] {
  if (!text.includes('\nagent_daemon_condition_ok{'))
    throw new Error(`there are no metrics: ${text.slice(0, 200)}`);
  const ages = new Map(
    [...text.matchAll(/^agent_daemon_problem_age_seconds\{cause="(\w+)"\} (\d+)/gm)].map(
      ([, cause, seconds]) => [cause, Number(seconds)],
    ),
  );
  return [...text.matchAll(/^agent_daemon_problems\{cause="(\w+)"\} [1-9]/gm)].map(([, cause = '']) => {
    const seconds = ages.get(cause);
    const since = seconds === undefined ? null : now - seconds * 1_000;
    return { cause, what: null, remedy: null, since };
  });
}

/** Reads the problems of the health page; the page names no causes, so they are found by the words. @throws Error for another page */
function parseHealth(html: string, causes: ReadonlyMap<string | null, string>): readonly ShownProblem[] {
  if (!html.includes('id="processes"')) throw new Error('this is not the health page of a logged-in user');
  const [, list = ''] = /<ul class="list" id="problem-list">([\s\S]*?)<\/ul>/.exec(html) ?? [];
  return list
    .split('<li>')
    .slice(1)
    .map((item) => {
      const what = toPlain(/<strong>([\s\S]*?)<\/strong>/.exec(item)?.[1] ?? '');
      const [, times = '', rest = ''] =
        /<span class="small">([\s\S]*?)<\/span><br>([\s\S]*)$/.exec(item) ?? [];
      const isKnown = !toPlain(times).startsWith('·');
      const since = isKnown ? (/<time datetime="([^"]+)">/.exec(times)?.[1] ?? null) : null;
      const remedy = toPlain(rest.split('<br>')[0] ?? '');
      const cause = causes.get(what) ?? `unknown (${what})`;
      return { cause, what, remedy, since: since === null ? null : Date.parse(since) };
    });
}

const signs: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

const toPlain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (sign) => signs[sign] ?? sign)
    .trim();
