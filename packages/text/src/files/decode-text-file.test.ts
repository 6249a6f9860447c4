import { describe, expect, it } from 'vitest';
import { decodeTextFile } from './decode-text-file.ts';

const text = 'TOKEN=abc\r\n# 秘密 é 😀\r\n';
const little = Buffer.from(text, 'utf16le');
const big = Buffer.from(little).swap16();

describe('decodeTextFile', () => {
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte-order mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 LE with a byte-order mark', Buffer.concat([Buffer.from([0xff, 0xfe]), little])],
    ['UTF-16 BE with a byte-order mark', Buffer.concat([Buffer.from([0xfe, 0xff]), big])],
    ['UTF-16 LE without a byte-order mark', little],
    ['UTF-16 BE without a byte-order mark', big],
  ])('decodes %s', (_, bytes) => {
    expect(decodeTextFile(bytes)).toEqual({ kind: 'text', text });
  });

  it('decodes an empty file, and one that has a byte-order mark alone', () => {
    expect(decodeTextFile(new Uint8Array())).toEqual({ kind: 'text', text: '' });
    expect(decodeTextFile(Buffer.from('\ufeff'))).toEqual({ kind: 'text', text: '' });
  });

  it.each([
    ['Latin-1', Buffer.from('A=1\nB=caf\xe9\n', 'latin1'), 2],
    ['Shift_JIS', Buffer.from([...Buffer.from('A=1\n\n# '), 0x93, 0xfa, 0x96, 0x7b]), 3],
    ['a broken UTF-8 sequence at the end', Buffer.from([0x41, 0xe3, 0x81]), 1],
    ['bytes that are not text', Buffer.from([0x41, 0x0a, 0, 0x42, 0, 0]), 2],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]), 1],
    ['half a character of UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), little.subarray(0, 3)]), 1],
  ])('names the first line that is in another encoding: %s', (_, bytes, line) => {
    expect(decodeTextFile(bytes)).toEqual({ kind: 'unknown-encoding', line });
  });
});
