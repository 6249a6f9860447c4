import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCappedOutput } from './capped-output.ts';

it('keeps everything that fits, and never more than it may, however the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary' })),
      fc.integer({ min: 16, max: 200 }),
      (parts, maxBytes) => {
        const output = createCappedOutput({ maxBytes, hideSecrets: (text) => text });
        for (const part of parts) output.add(Buffer.from(part));
        const whole = Buffer.from(parts.map((part) => Buffer.from(part).toString()).join(''));
        const text = output.text();
        if (whole.length <= maxBytes - 1) return text === whole.toString();
        const [head = '', tail] = text.split(/\n… \d+ bytes left out …\n/);
        return tail === undefined
          ? text === whole.toString()
          : whole.toString().startsWith(head) &&
              whole.toString().endsWith(tail) &&
              Buffer.byteLength(head + tail) <= maxBytes;
      },
    ),
  );
});

it('cuts between characters', () => {
  const output = createCappedOutput({ maxBytes: 10, hideSecrets: (text) => text });
  for (const byte of Buffer.from('日本語日本語日本語')) output.add(Buffer.from([byte]));
  expect(output.text()).toBe('日\n… 21 bytes left out …\n語');
});

it('shows no part of a secret, wherever the middle that is left out begins and ends [NX-250]', () => {
  const secret = 'plum-orchard-lane-9';
  const hideSecrets = (text: string) => text.replaceAll(secret, '[REDACTED]');
  const parts = [...secret.slice(7)].map((_, at) => secret.slice(at, at + 8));
  for (const sizes of [300, 200_000]) {
    for (let offset = -secret.length - 1; offset <= 12; offset += 1) {
      for (const between of ['x', '語']) {
        const filler = between.repeat(sizes);
        const beginning = between.repeat(Math.floor(100 / Buffer.byteLength(between)) + offset);
        const output = createCappedOutput({ maxBytes: 200, hideSecrets });
        const whole = Buffer.from(`${beginning}${secret}${filler}${secret}${beginning}`);
        for (let at = 0; at < whole.length; at += 4_093) output.add(whole.subarray(at, at + 4_093));
        const text = output.text();
        expect(text).toMatch(/ bytes left out /);
        expect(parts.filter((part) => text.includes(part))).toEqual([]);
        const [head = '', tail = ''] = text.split(/\n… \d+ bytes left out …\n/);
        expect(Buffer.byteLength(head)).toBeGreaterThan(95);
        expect(Buffer.byteLength(tail)).toBeGreaterThan(95);
      }
    }
  }
});
