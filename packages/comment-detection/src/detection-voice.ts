import type { CommentChange } from './changes.ts';
import type { DetectionSettings } from './comment-detection-options.ts';
import { detectionTexts } from './detection-texts.ts';
import { findOddities } from './find-oddities.ts';
import type { Logger } from './ports.ts';

/** What a manager says in its log; nothing without a logger. Bodies never stand in it. */
export interface DetectionVoice {
  readonly detected: (changes: readonly CommentChange[]) => void;
  readonly added: (count: number) => void;
  readonly lookFailed: (error: unknown) => void;
  readonly deliveryFailed: (error: unknown, maxBodyChars: number) => void;
  readonly malformed: (problem: 'no-id' | 'no-body', id: string | null) => void;
  readonly unknownBot: () => void;
  readonly noisyBot: (login: string) => void;
  readonly authorityUnknown: (error: unknown, id: string) => void;
  readonly damagedState: () => void;
}

/** The log lines of seed 001 §6.1 are rendered whole; all others are constant, with their values in fields. */
export function createDetectionVoice(
  logger: Logger | undefined,
  {
    settings,
    cleanText,
  }: { readonly settings: DetectionSettings; readonly cleanText: (text: string) => string },
): DetectionVoice {
  const { logLocale, logLevel, taskUuid, maxBodyChars } = settings;
  const texts = detectionTexts[logLocale];
  const fields = { taskUuid };
  const warn = (more: object, message: string) => logger?.warn({ ...fields, ...more }, message);
  return {
    detected: (changes) => {
      const added = changes.filter(({ kind }) => kind === 'added').length;
      const others = { changed: changes.length - added };
      if (added > 0) logger?.[logLevel](fields, texts.detected(added, taskUuid));
      if (changes.length === 0) logger?.debug(fields, texts.nothingNew(taskUuid));
      else if (others.changed > 0)
        logger?.[logLevel]({ ...fields, ...others }, 'comments were edited or deleted');
      for (const { kind, comment } of changes) {
        if (kind === 'deleted') continue;
        const oddities = findOddities(comment, { cleanText, maxBodyChars });
        for (const oddity of oddities) warn({ commentId: comment.id }, oddity);
      }
    },
    added: (count) => logger?.info(fields, texts.added(count, taskUuid)),
    lookFailed: (err) => warn({ err }, texts.failed(messageOf(err), taskUuid)),
    deliveryFailed: (err, maxBodyChars) =>
      logger?.error({ ...fields, err, maxBodyChars }, 'the context did not take the comments'),
    malformed: (problem, commentId) =>
      warn({ problem, commentId }, 'a comment without id or body was left out'),
    unknownBot: () =>
      warn(
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
