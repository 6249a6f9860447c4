import {
  type CommentDetectionOptions,
  type DetectionSettings,
  readDetectionOptions,
} from './comment-detection-options.ts';
import { createDetectionVoice, type DetectionVoice } from './detection-voice.ts';
import type { CommentSource } from './ports.ts';
import { sleepFor } from './sleep-for.ts';
import { SpeakerRegister } from './speaker-register.ts';
import { ThreadWatcher } from './thread-watcher.ts';

/** What a manager is made of. */
export interface DetectionParts {
  readonly settings: DetectionSettings;
  readonly voice: DetectionVoice;
  readonly speakers: SpeakerRegister;
  readonly watcher: ThreadWatcher;
}

export function createDetectionParts(
  source: CommentSource,
  options: CommentDetectionOptions,
): DetectionParts {
  if (typeof source?.listComments !== 'function') {
    throw new TypeError('CommentDetectionManager needs a source: an object with the function listComments.');
  }
  const { settings, startedAt, problems } = readDetectionOptions(options);
  const voice = createDetectionVoice(options.logger, { settings, cleanText: options.cleanText });
  for (const problem of problems) voice.oddOption(problem);
  const { monotonicNow = () => performance.now(), now = () => new Date(), isOwnComment } = options;
  const speakers = new SpeakerRegister({ settings, isOwnComment, monotonicNow, onNoisyBot: voice.noisyBot });
  const watcher: ThreadWatcher = new ThreadWatcher(source, {
    settings,
    voice,
    isExcluded: (comment) => speakers.isOwn(comment, watcher.memory.ownIds) || speakers.isIgnored(comment),
    startedAt,
    now,
    monotonicNow,
    sleep: options.sleep ?? sleepFor,
    timeoutSignal: options.timeoutSignal ?? ((milliseconds) => AbortSignal.timeout(milliseconds)),
  });
  if (settings.enabled) sayMissingSafeguards(options, voice);
  return { settings, voice, speakers, watcher };
}

function sayMissingSafeguards(options: CommentDetectionOptions, voice: DetectionVoice): void {
  const { botUsername, botId, isOwnComment, authorityOf, cleanText } = options;
  const isNameless = (botUsername ?? null) === null && (botId ?? null) === null;
  if (isNameless && isOwnComment === undefined) voice.unknownBot();
  if (authorityOf === undefined) voice.unsafe('authorityOf');
  if (cleanText === undefined) voice.unsafe('cleanText');
}
