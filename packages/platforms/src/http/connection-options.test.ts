import { describe, expect, it } from 'vitest';
import { toConnectionSettings } from './connection-options.ts';

const service = { service: 'GitHub', baseUrl: 'https://api.github.com', ownServer: 'https://host/api/v3' };

describe('options of a platform behind HTTP', () => {
  it('speaks English where no language is asked for [X9]', () => {
    expect(toConnectionSettings({ token: 'some-token' }, service).locale).toBe('en');
    expect(toConnectionSettings({ token: 'some-token', locale: 'ja' }, service).locale).toBe('ja');
  });
});

describe('the time of a server', () => {
  const clock = Date.parse('2026-05-01T03:00:00Z');
  const open = (dates: readonly (string | null)[]) => {
    const left = [...dates];
    const fetch = async () => {
      const date = left.shift() ?? null;
      return new Response('', { headers: date === null ? {} : { date } });
    };
    return toConnectionSettings({ token: 'some-token', fetch, now: () => clock }, service);
  };
  const hoursAhead = ({ serverNow }: { readonly serverNow: () => number }) =>
    (serverNow() - clock) / 3_600_000;

  it('is that of its last answer with a date, and the local one before [NX-99]', async () => {
    const settings = open(['Sat, 02 May 2026 05:00:00 GMT', null, 'Fri, 01 May 2026 02:00:00 GMT']);
    expect(hoursAhead(settings)).toBe(0);
    const seen: number[] = [];
    for (let request = 0; request < 3; request += 1) {
      await settings.fetch('https://api.github.com/user');
      seen.push(hoursAhead(settings));
    }
    expect(seen).toEqual([26, 26, -1]);
  });

  it('is not read from another server', async () => {
    const settings = open(['Sat, 02 May 2026 05:00:00 GMT']);
    await settings.fetch('https://user-images.githubusercontent.com/1.png');
    expect(hoursAhead(settings)).toBe(0);
  });
});
