import type { Clock } from '../clock.ts';
import type { Place } from '../place/place.ts';

/** Discord shows typing for ten seconds. @see https://docs.discord.com/developers/resources/channel#trigger-typing-indicator */
const refreshMs = 8_500;

export interface ShowTypingOptions {
  readonly clock: Clock;
  /** Hears of each time that it could not be shown. */
  readonly onFailure: (error: unknown) => void;
}

/** Shows that the bot types, until what this gives is called. */
export function showTyping(place: Pick<Place, 'showTyping'>, options: ShowTypingOptions): () => void {
  const { clock, onFailure } = options;
  let isOver = false;
  let cancel = (): void => {};
  const show = (): void => {
    if (isOver) return;
    cancel = clock.after(refreshMs, show);
    place.showTyping().catch(onFailure);
  };
  show();
  return () => {
    isOver = true;
    cancel();
  };
}
