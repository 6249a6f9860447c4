import { ErrorEpisodes, type Locale, type Logger, toErrorMessage } from '@agent/text';
import type { CommentChange } from './changes.ts';
import type { SourceComment } from './comment.ts';
import { isOutage } from './comment-detection-error.ts';
import type { DetectionSettings } from './comment-detection-options.ts';
import { type CleanText, cleanComment } from './compose-delivery.ts';
import { escapeHeadings } from './format-changes-message.ts';

/**
 * Log of a manager. Without a logger, what makes an agent deaf or unsafe is told on `console.warn`, and
 * nothing else. Bodies never stand in it.
 */
export interface DetectionLog {
  /** Resolves once it is told what is odd about them; never rejects. */
  readonly detected: (changes: readonly CommentChange[]) => Promise<void>;
  readonly added: (count: number) => void;
  /** Logged once for each episode of failed polls, as is their end. */
  readonly pollFailed: (error: unknown) => void;
  readonly polled: () => void;
  readonly deliveryFailed: (error: unknown, maxBodyChars: number) => void;
  readonly malformed: (problem: 'no-id' | 'no-body', id: string | null) => void;
  readonly missingSafeguard: (name: Safeguard) => void;
  readonly noisyBot: (login: string) => void;
  readonly authorityUnknown: (error: unknown, id: string) => void;
  readonly notKept: (error: unknown) => void;
  readonly damagedState: () => void;
}

/** Options without which an agent is unsafe, or hears itself. */
export type Safeguard = keyof typeof unsafeWithout;

const unsafeWithout = {
  botUsername: 'cannot recognize own comments that were not recorded: set botUsername',
  authorityOf: 'every commenter can instruct the agent: set authorityOf (`() => "trusted"` if intended)',
};

/** Comments that are cleaned together: a cleaner that works elsewhere is asked less often, and few clean texts are held. */
const cleanedAtOnce = 50;

/** The Japanese log lines of seed 001 §6.1 are rendered whole; all others are constant, with their values in fields. */
export function createDetectionLog(
  logger: Logger | undefined,
  {
    settings,
    cleanText,
  }: { readonly settings: DetectionSettings; readonly cleanText: CleanText | undefined },
): DetectionLog {
  const { logLocale, logLevel, taskUuid, maxBodyChars } = settings;
  const texts = detectionTexts[logLocale];
  const fields = { taskUuid };
  const warn = (more: object, message: string) => logger?.warn({ ...fields, ...more }, message);
  const inform = (more: object, message: string) => logger?.info({ ...fields, ...more }, message);
  const episodes = new ErrorEpisodes();
  const alarm = (more: object, message: string) => {
    if (logger === undefined) console.warn(`@agent/comment-detection: ${message}`, toPlainFields(more));
    else warn(more, message);
  };
  const warnOf = async (comment: SourceComment): Promise<void> => {
    const clean = await cleanComment(comment, cleanText).catch((err: unknown) => {
      warn({ commentId: comment.id, err }, 'failed to clean comment; delivery is delayed');
      return null;
    });
    if (clean === null) return;
    const warnings = findCommentWarnings(clean, { maxBodyChars });
    for (const warning of warnings) warn({ commentId: comment.id }, warning);
  };
  return {
    detected: async (changes) => {
      const added = changes.filter(({ kind }) => kind === 'added').length;
      const others = { changed: changes.length - added };
      if (added > 0) logger?.[logLevel]({ ...fields, count: added }, texts.detected(added, taskUuid));
      if (changes.length === 0) logger?.debug(fields, texts.nothingNew(taskUuid));
      else if (others.changed > 0)
        logger?.[logLevel]({ ...fields, ...others }, 'detected edited or deleted comments');
      if (logger === undefined) return;
      const said = changes.filter(({ kind }) => kind !== 'deleted');
      for (let at = 0; at < said.length; at += cleanedAtOnce) {
        const batch = said.slice(at, at + cleanedAtOnce).map(({ comment }) => warnOf(comment));
        await Promise.all(batch);
      }
    },
    added: (count) => logger?.info({ ...fields, count }, texts.added(count, taskUuid)),
    pollFailed: (err) => {
      const say = isOutage(err) ? warn : alarm;
      const to = { warn: say, error: say, info: inform };
      const message = texts.failed(toErrorMessage(err), taskUuid);
      episodes.fail('', err, { logger: to, message, recovered: 'polling comments again' });
    },
    polled: () => episodes.end(''),
    deliveryFailed: (err, maxBodyChars) =>
      logger?.error({ ...fields, err, maxBodyChars }, 'failed to add comments to context'),
    malformed: (problem, commentId) => alarm({ problem, commentId }, 'skipped comment without id or body'),
    missingSafeguard: (option) => alarm({ option }, unsafeWithout[option]),
    noisyBot: (login) => warn({ login }, 'muting bot: too many comments in a short time'),
    authorityUnknown: (err, commentId) =>
      warn({ err, commentId }, 'failed to check author permission; comment waits'),
    notKept: (err) => alarm({ err }, 'failed to save detected comments; delivery is delayed'),
    damagedState: () => warn({}, 'rebuilding damaged comment detection state'),
  };
}

/** Fields with the message of an error instead of its stack: the caller gets the error itself. */
function toPlainFields(fields: object): object {
  return 'err' in fields ? { ...fields, err: toErrorMessage(fields.err) } : fields;
}

/** The log lines of seed 001 §6.1, and their English twins. */
interface DetectionTexts {
  readonly detected: (count: number, task: string) => string;
  readonly added: (count: number, task: string) => string;
  readonly nothingNew: (task: string) => string;
  readonly failed: (error: string, task: string) => string;
}

const detectionTexts: Readonly<Record<Locale, DetectionTexts>> = {
  ja: {
    detected: (count, task) => `新規コメントを検出しました: ${count}件 (Task: ${task})`,
    added: (count, task) => `新規コメントをコンテキストに追加しました: ${count}件 (Task: ${task})`,
    nothingNew: (task) => `新規コメントなし (Task: ${task})`,
    failed: (error, task) => `コメント取得中にエラー発生: ${error} (Task: ${task})`,
  },
  en: {
    detected: () => 'detected new comments',
    added: () => 'added new comments to context',
    nothingNew: () => 'found no new comments',
    failed: () => 'failed to fetch comments',
  },
};

interface CommentWarningRules {
  /** Longest body shown whole. */
  readonly maxBodyChars: number;
}

/** Finds oddities of a clean comment, each in a sentence for the log. It is told of all the same. */
export function findCommentWarnings(
  { author, body, subject = null }: SourceComment,
  rules: CommentWarningRules,
): readonly string[] {
  const found: readonly (readonly [boolean, string])[] = [
    [author === null && subject?.kind !== 'check', 'comment author no longer exists'],
    [escapeHeadings(body) !== body, 'quoting comment lines that imitate comment headings'],
    [body.length > rules.maxBodyChars, 'truncated long comment'],
    [body.trim() === '', 'comment has no visible text'],
  ];
  return found.flatMap(([isSo, sentence]) => (isSo ? [sentence] : []));
}
