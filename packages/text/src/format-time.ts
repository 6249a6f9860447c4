import { checkOptions, type Expectation, expected } from './check-options.ts';
import { rememberFormatter, toClock } from './time-zone.ts';

/** Options of `formatTime`. */
export interface FormatTimeOptions {
  /** False drops the seconds. Default true. */
  readonly seconds?: boolean | undefined;
}

const expectations = { seconds: expected.flag } as const satisfies Record<
  keyof FormatTimeOptions,
  Expectation
>;

/**
 * Formats a time as `YYYY-MM-DD HH:mm:ss` and the short name of its zone, UTC by default. Returns a text that is not a time
 * unchanged.
 *
 * @example
 * formatTime('2026-05-01T03:00:00.000Z', 'Asia/Tokyo'); // '2026-05-01 12:00:00 GMT+9'
 * formatTime('2026-05-01T03:00:00.000Z', 'UTC', { seconds: false }); // '2026-05-01 03:00 UTC'
 */
export function formatTime(time: Date | string, timeZone = 'UTC', options: FormatTimeOptions = {}): string {
  checkOptions('FormatTimeOptions', options, expectations);
  const { seconds = true } = options;
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  const zone = toZoneNames(timeZone)
    .formatToParts(date)
    .find(({ type }) => type === 'timeZoneName');
  return `${toClock(timeZone, seconds ? 'medium' : 'short').format(date)} ${zone?.value ?? timeZone}`;
}

function toZoneNames(timeZone: string): Intl.DateTimeFormat {
  return rememberFormatter(`name of ${timeZone}`, () => {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' });
  });
}
