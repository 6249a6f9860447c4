import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readPicture } from './read-picture.ts';

const of = (base64: string): Uint8Array => Buffer.from(base64, 'base64');

/** Whole files as encoders write them. */
const files = {
  png: of('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
  gif: of('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'),
  lossy: of('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA'),
  lossless: of('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=='),
};

it.each([
  ['png', 'image/png'],
  ['gif', 'image/gif'],
  ['lossy', 'image/webp'],
  ['lossless', 'image/webp'],
] as const)('reads kind and size of a whole file: %s [NX-400]', (name, mediaType) => {
  const padded = Buffer.concat([files[name], Buffer.alloc(16)]);
  expect(readPicture(padded)).toEqual({ mediaType, width: 1, height: 1 });
});

it('finds the size of a JPEG behind other segments, and that of an extended WebP [NX-400]', () => {
  const exif = Buffer.concat([Buffer.from([0xff, 0xe1, 0, 6]), Buffer.from('Exif')]);
  const frame = Buffer.from([0xff, 0xc2, 0, 11, 8, 0x02, 0x58, 0x03, 0x20, 3, 1, 0x22, 0]);
  const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8]), exif, Buffer.from([0xff]), frame]);
  expect(readPicture(jpeg)).toEqual({ mediaType: 'image/jpeg', width: 800, height: 600 });
  const webp = Buffer.alloc(30);
  webp.write('RIFF\0\0\0\0WEBPVP8X', 'latin1');
  webp.writeUIntLE(1_919, 24, 3);
  webp.writeUIntLE(1_079, 27, 3);
  expect(readPicture(webp)).toEqual({ mediaType: 'image/webp', width: 1_920, height: 1_080 });
});

it.each([
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['HTML', '<!doctype html><title>Sign in</title>'],
  ['a PDF', '%PDF-1.7 and so on, as long as a head of a picture'],
  ['nothing', ''],
])('takes no %s for a picture, whatever it is called [NX-400]', (_, text) => {
  expect(readPicture(Buffer.from(text))).toBeNull();
});

it('reads any bytes to an end, cut or broken [NX-400]', () => {
  const heads = [...Object.values(files), Buffer.from([0xff, 0xd8, 0xff])];
  fc.assert(
    fc.property(
      fc.constantFrom(...heads),
      fc.uint8Array({ maxLength: 200 }),
      fc.nat(60),
      (head, rest, cut) => {
        const seen = readPicture(Buffer.concat([head.subarray(0, cut), rest]));
        if (seen !== null) expect(seen.width * seen.height).toBeGreaterThan(0);
      },
    ),
  );
});
