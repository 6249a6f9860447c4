import { cleanUntrustedText } from '@agent/text';
import type { ThreadContextOptions } from '@agent/thread-context';
import type { Settings } from './settings-schema.ts';

/** How the settings want a thread to become a conversation. */
export function toContextOptions(settings: Settings): ThreadContextOptions {
  return {
    maxMessages: settings.MAX_THREAD_MESSAGES,
    maxTranscriptChars: settings.MAX_TRANSCRIPT_CHARS,
    pinStarter: settings.PIN_STARTER,
    stable: settings.STABLE_PREFIX,
    // Whoever writes what nobody sees writes it for the model alone.
    removeHidden: true,
    // An account's name is checked by Discord, a shown name may hold anything.
    ...(settings.DISPLAY_NAME
      ? { displayName: ({ authorName }) => cleanUntrustedText(authorName).text }
      : {}),
  };
}
