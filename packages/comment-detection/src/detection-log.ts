import { type Locale, type Logger, toErrorMessage } from '@agent/text';
import type { CommentChange } from './changes.ts';
import type { Comment } from './comment.ts';
import { isOutage } from './comment-detection-error.ts';
import type { DetectionSettings, OptionProblem } from './comment-detection-options.ts';
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
  readonly pollFailed: (error: unknown) => void;
  readonly deliveryFailed: (error: unknown, maxBodyChars: number) => void;
  readonly malformed: (problem: 'no-id' | 'no-body', id: string | null) => void;
  readonly invalidOption: (problem: OptionProblem) => void;
  readonly missingSafeguard: (name: Safeguard) => void;
  readonly noisyBot: (login: string) => void;
  readonly authorityUnknown: (error: unknown, id: string) => void;
  readonly notKept: (error: unknown) => void;
  readonly damagedState: () => void;
}

/** Options without which an agent is unsafe, or hears itself. */
export type Safeguard = keyof typeof unsafeWithout;

const unsafeWithout = {
  botUsername:
    'the own account is unknown, so own comments are told only by what was posted; set botUsername',
  authorityOf:
    'everybody who may comment gives the agent instructions; set authorityOf (`() => "trusted"` where that is meant)',
  cleanText:
    'the model sees comments as they are written, hidden text too; set cleanText (`(text) => text` where that is meant)',
};

/** The log lines of seed 001 §6.1 are rendered whole; all others are constant, with their values in fields. */
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
  const alarm = (more: object, message: string) => {
    if (logger === undefined) console.warn(`@agent/comment-detection: ${message}`, more);
    else warn(more, message);
  };
  return {
    detected: async (changes) => {
      const added = changes.filter(({ kind }) => kind === 'added').length;
      const others = { changed: changes.length - added };
      if (added > 0) logger?.[logLevel](fields, texts.detected(added, taskUuid));
      if (changes.length === 0) logger?.debug(fields, texts.nothingNew(taskUuid));
      else if (others.changed > 0)
        logger?.[logLevel]({ ...fields, ...others }, 'comments were edited or deleted');
      if (logger === undefined) return;
      for (const { kind, comment } of changes) {
        if (kind === 'deleted') continue;
        const clean = await cleanComment(comment, cleanText).catch((err: unknown) => {
          warn(
            { commentId: comment.id, err },
            'a comment could not be cleaned; it is not told of before it can',
          );
          return null;
        });
        if (clean === null) continue;
        const warnings = findCommentWarnings(clean, { maxBodyChars });
        for (const warning of warnings) warn({ commentId: comment.id }, warning);
      }
    },
    added: (count) => logger?.info(fields, texts.added(count, taskUuid)),
    pollFailed: (err) => {
      const say = isOutage(err) ? warn : alarm;
      say({ err }, texts.failed(toErrorMessage(err), taskUuid));
    },
    deliveryFailed: (err, maxBodyChars) =>
      logger?.error({ ...fields, err, maxBodyChars }, 'the context did not take the comments'),
    malformed: (problem, commentId) =>
      alarm({ problem, commentId }, 'a comment without id or body was left out'),
    invalidOption: ({ kind, ...about }) =>
      alarm(
        about,
        kind === 'unknown'
          ? 'comment detection has no such option; it is left out'
          : 'an option of comment detection is invalid; its default is used',
      ),
    missingSafeguard: (option) => alarm({ option }, unsafeWithout[option]),
    noisyBot: (login) =>
      warn({ login }, 'a bot says too much in too short a time; it is heard again when it is quieter'),
    authorityUnknown: (err, commentId) =>
      warn(
        { err, commentId },
        'could not ask who may give instructions; the comment waits, and is asked for again',
      ),
    notKept: (err) =>
      alarm({ err }, 'what was found on the thread could not be kept; it has no effect before it is'),
    damagedState: () =>
      warn({}, 'the state of comment detection is damaged; it is rebuilt from the thread and the journal'),
  };
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
    detected: (count, task) => `New comments detected: ${count} (Task: ${task})`,
    added: (count, task) => `New comments added to the context: ${count} (Task: ${task})`,
    nothingNew: (task) => `No new comments (Task: ${task})`,
    failed: (error, task) => `Error while fetching comments: ${error} (Task: ${task})`,
  },
};

interface CommentWarningRules {
  /** Longest body shown whole. */
  readonly maxBodyChars: number;
}

/** Finds oddities of a clean comment, each in a sentence for the log. It is told of all the same. */
export function findCommentWarnings(
  { author, body, subject = null }: Comment,
  rules: CommentWarningRules,
): readonly string[] {
  const found: readonly (readonly [boolean, string])[] = [
    [author === null && subject?.kind !== 'check', 'the account that wrote a comment is gone'],
    [escapeHeadings(body) !== body, 'a comment imitates the headings of new comments; they are quoted'],
    [body.length > rules.maxBodyChars, 'a comment is very long; its beginning is told'],
    [body.trim() === '', 'a comment has no visible text'],
  ];
  return found.flatMap(([isSo, sentence]) => (isSo ? [sentence] : []));
}
