import { describe, expect, it } from 'vitest';
import { formatTime } from './format-time.ts';
import { isTimeZone } from './time-zone.ts';

const noon = '2026-05-01T12:00:00.000Z';

describe('formatTime', () => {
  it('writes a time where people are, with the name of the zone', () => {
    expect(formatTime(noon)).toBe('2026-05-01 12:00:00 UTC');
    expect(formatTime(new Date(noon), 'Asia/Tokyo')).toBe('2026-05-01 21:00:00 GMT+9');
    expect(formatTime(noon, 'America/New_York')).toBe('2026-05-01 08:00:00 EDT');
  });

  it('drops the seconds on request', () => {
    expect(formatTime(noon, 'UTC', { seconds: false })).toBe('2026-05-01 12:00 UTC');
    expect(formatTime(noon, 'Asia/Tokyo', { seconds: false })).toBe('2026-05-01 21:00 GMT+9');
  });

  it('leaves a text that is no time as it is', () => {
    expect(formatTime('')).toBe('');
    expect(formatTime('yesterday', 'Asia/Tokyo')).toBe('yesterday');
  });
});

describe('isTimeZone', () => {
  it.each([
    ['UTC', true],
    ['Asia/Tokyo', true],
    ['Mars/Olympus_Mons', false],
    ['', false],
  ])('says of %j: %s', (name, isKnown) => {
    expect(isTimeZone(name)).toBe(isKnown);
  });
});
