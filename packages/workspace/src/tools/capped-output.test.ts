import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCappedOutput } from './capped-output.ts';

it('keeps everything that fits, and never more than it may, however the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary' })),
      fc.integer({ min: 16, max: 200 }),
      (parts, maxBytes) => {
        const output = createCappedOutput(maxBytes);
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
  const output = createCappedOutput(10);
  for (const byte of Buffer.from('日本語日本語日本語')) output.add(Buffer.from([byte]));
  expect(output.text()).toBe('日\n… 21 bytes left out …\n語');
});
