import type { Logger } from '@agent/text';
import type { CommentChange } from './changes.ts';
import { type CleanText, cleanComment } from './clean-comment.ts';
import type { DetectionSettings, OptionProblem } from './comment-detection-options.ts';
import { detectionTexts } from './detection-texts.ts';
import { findCommentWarnings } from './find-comment-warnings.ts';
import { isOutage } from './is-outage.ts';

/**
 * What a manager says in its log. Without a logger, what makes an agent deaf or unsafe is told on `console.warn`, and
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
  readonly unknownBot: () => void;
  readonly unsafe: (missing: keyof typeof unsafeWithout) => void;
  readonly noisyBot: (login: string) => void;
  readonly authorityUnknown: (error: unknown, id: string) => void;
  readonly damagedState: () => void;
}

const unsafeWithout = {
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
  const malformed = new Set<string>();
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
      say({ err }, texts.failed(messageOf(err), taskUuid));
    },
    deliveryFailed: (err, maxBodyChars) =>
      logger?.error({ ...fields, err, maxBodyChars }, 'the context did not take the comments'),
    malformed: (problem, commentId) => {
      const isKnown = malformed.has(`${problem} ${commentId}`);
      malformed.add(`${problem} ${commentId}`);
      const say = isKnown && logger === undefined ? warn : alarm;
      say({ problem, commentId }, 'a comment without id or body was left out');
    },
    invalidOption: ({ kind, ...about }) =>
      alarm(
        about,
        kind === 'unknown'
          ? 'comment detection has no such option; it is left out'
          : 'an option of comment detection is invalid; its default is used',
      ),
    unsafe: (missing) => alarm({ option: missing }, unsafeWithout[missing]),
    unknownBot: () =>
      alarm(
        {},
        'the own account is unknown, so own comments are told only by what was posted; set botUsername',
      ),
    noisyBot: (login) =>
      warn({ login }, 'a bot says too much in too short a time; it is heard again when it is quieter'),
    authorityUnknown: (err, commentId) =>
      warn({ err, commentId }, 'could not ask who may give instructions; the comment counts as information'),
    damagedState: () =>
      warn({}, 'the state of comment detection is damaged; it is rebuilt from the thread and the journal'),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
