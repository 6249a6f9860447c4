import type { DaemonLogger } from '../log/logger.ts';
import { cleanLine, cleanText } from '../text/terminal-text.ts';
import type { DoctorTexts } from './texts.en.ts';

const marks = { ok: '✓', warning: '!', failed: '✗' } as const;

/** One thing that was looked at. */
export interface Finding {
  /** Part that it belongs to: `config`, the name of a platform, `model`, `git`, … */
  readonly area: string;
  /** `warning`: works, but not as somebody may expect. */
  readonly status: 'ok' | 'warning' | 'failed';
  readonly text: string;
  /** Instruction that fixes it; null for what is well. */
  readonly fix: string | null;
  /** Page on which to do it; null where there is none. */
  readonly url: string | null;
}

/** Hears of each finding as soon as it is known. */
export type Report = (finding: Finding) => void;

/** Instruction for whoever fixes it, and the page on which to do it. */
export interface Remedy {
  readonly fix: string;
  readonly url?: string | null | undefined;
}

/** Reports on one area. */
export interface AreaReport {
  readonly ok: (text: string) => void;
  readonly warning: (text: string, fix: Remedy) => void;
  readonly failed: (text: string, fix: Remedy) => void;
}

/** Makes the report of one area. */
export function reportOn(area: string, report: Report): AreaReport {
  const say =
    (status: 'warning' | 'failed') =>
    (text: string, { fix, url = null }: Remedy): void =>
      report({ area, status, text, fix, url });
  return {
    ok: (text) => report({ area, status: 'ok', text, fix: null, url: null }),
    warning: say('warning'),
    failed: say('failed'),
  };
}

/** A finding as people read it: a line, and below it what to do and where. */
export function formatFinding({ status, area, text, fix, url }: Finding): string {
  const [first = '', ...more] = cleanText(text).trim().split('\n');
  const lines = [`${marks[status]} ${cleanLine(area)}: ${first}`, ...more.map((line) => `  ${line}`)];
  if (fix !== null) lines.push(`    → ${cleanLine(fix)}`);
  if (url !== null) lines.push(`      ${cleanLine(url)}`);
  return lines.join('\n');
}

/** Everything that any check may use, beside the settings that it looks at. */
export interface DoctorTools extends Reporting {
  /** Silent: what matters is a finding. */
  readonly logger: DaemonLogger;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Texts of the examination's language, and who hears of findings. */
export interface Reporting {
  readonly texts: DoctorTexts;
  readonly report: Report;
}

/** A question over HTTP that only wants to know how it is answered. */
export interface Question {
  readonly url: string;
  readonly method?: 'GET' | 'POST' | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface Answer {
  readonly status: number;
  /** Parsed; null for a body that is no JSON. */
  readonly json: unknown;
}

export interface AskOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Asks once. @throws Error whose message says why there was no answer */
export async function ask(question: Question, { fetch, timeoutMs, signal }: AskOptions): Promise<Answer> {
  const { url, method = 'GET', headers, body } = question;
  try {
    const response = await fetch(url, {
      method,
      headers: { 'user-agent': 'agent-daemon', ...headers },
      // A redirect could carry the token to another host.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, json: parseJson(await response.text()) };
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** fetch hides the reason in a chain of causes. */
function reasonOf(error: unknown): string {
  let last = error;
  while (last instanceof Error && last.cause !== undefined) last = last.cause;
  const { code, message } = last as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message ?? last);
}
