import { type Clock, sleep } from '../clock.ts';
import { isVisible } from '../message/incoming-message.ts';
import type { Place } from '../place/place.ts';
import { splitReply } from '../place/split-reply.ts';

/** Discord limits edits to five in five seconds per channel. */
const intervalMs = 1_000;

/** An answer that people see growing. */
export interface LiveReply {
  /** Shows the text so far, soon; of several texts within a second the last. */
  readonly show: (textSoFar: string) => void;
  /** Shows the whole text. @throws BotError when it cannot be shown */
  readonly finish: (text: string) => Promise<void>;
  /** Leaves what is shown as it is. */
  readonly leave: () => Promise<void>;
}

/** Posts an answer with its first words and lets it grow by edits, at most one look at it a second. */
export function createLiveReply(
  place: Pick<Place, 'send' | 'edit'>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): LiveReply {
  const shown: { readonly id: string; content: string }[] = [];
  const leaving = new AbortController();
  let wanted: string | null = null;
  let working: Promise<void> | null = null;
  let nextAt = 0;

  const showNow = async (text: string): Promise<void> => {
    nextAt = clock.now() + intervalMs;
    for (const [index, content] of splitReply(text).entries()) {
      const message = shown[index];
      if (message === undefined) shown.push({ id: await place.send(content), content });
      else if (message.content !== content) {
        await place.edit(message.id, content);
        message.content = content;
      }
    }
  };
  const work = async (): Promise<void> => {
    while (wanted !== null) {
      await sleep(clock, nextAt - clock.now(), AbortSignal.any([signal, leaving.signal]));
      if (leaving.signal.aborted || signal.aborted) return;
      const text = wanted;
      wanted = null;
      // What could not be shown now is shown with the next look, or at the end.
      await showNow(text).catch(() => {});
    }
    working = null;
  };
  const leave = async (): Promise<void> => {
    leaving.abort();
    await working;
  };
  return {
    show: (textSoFar) => {
      if (!isVisible(textSoFar)) return;
      wanted = textSoFar;
      working ??= work();
    },
    leave,
    finish: async (text) => {
      await leave();
      await sleep(clock, nextAt - clock.now(), signal);
      signal.throwIfAborted();
      await showNow(text);
    },
  };
}
