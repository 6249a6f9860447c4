import assert from 'node:assert/strict';
import type { PictureSource } from '../picture-source.ts';
import {
  type ContractCase,
  type ContractOptions,
  describeContract,
  present,
  rejectsWithCode,
  rejectsWithReason,
} from './contract.ts';

/** Fixture that the suite of `PictureSource` needs. */
export interface PictureSourceFixture {
  readonly open: () => PictureSource;
  /** Somebody drops a picture of these bytes into a text; gives the link that stands there. */
  readonly drop: (bytes: Uint8Array) => Promise<string>;
  /** Link to a picture that is not there any more. */
  readonly missingLink: string;
}

const bytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255, 1, 2, 3]);
const maxBytes = 1_000;

/** Every promise of a `PictureSource`, as functions that need no test runner. */
export const pictureSourceCases: readonly ContractCase<PictureSourceFixture>[] = [
  {
    name: 'reads a picture byte for byte, by the link that stands in a text',
    run: async ({ open, drop }) => {
      const address = present(open().locate(await drop(bytes)), 'the address of the picture');
      assert.match(address, /^[\x21-\x7e]+$/u, 'an address is of ASCII');
      assert.deepEqual([...(await open().fetchPicture(address, { maxBytes }))], [...bytes]);
    },
  },
  {
    name: 'knows no place of a link that leads elsewhere',
    run: async ({ open, drop }) => {
      const own = new URL(await drop(bytes), 'http://own.example');
      const elsewhere = [
        `https://pictures.example${own.pathname}`,
        `http://127.0.0.1:1${own.pathname}`,
        `http://[::1]${own.pathname}`,
        `file://${own.pathname}`,
        'data:image/png;base64,iVBORw0KGgo=',
        'https://pictures.example/one.png',
        'picture.png',
        '',
      ];
      assert.deepEqual(
        elsewhere.filter((link) => open().locate(link) !== null),
        [],
      );
    },
  },
  {
    name: 'asks no address that it has not given itself',
    run: async ({ open }) => {
      for (const address of ['https://pictures.example/one.png', 'http://127.0.0.1:1/', 'file:///etc/passwd'])
        await rejectsWithCode(open().fetchPicture(address, { maxBytes }), 'invalid');
    },
  },
  {
    name: 'rejects with `invalid` for what is larger than it may be, and reads what is just as large',
    run: async ({ open, drop }) => {
      const address = present(open().locate(await drop(new Uint8Array(maxBytes))), 'the address');
      assert.equal((await open().fetchPicture(address, { maxBytes })).length, maxBytes);
      await rejectsWithCode(open().fetchPicture(address, { maxBytes: maxBytes - 1 }), 'invalid');
    },
  },
  {
    name: 'rejects with `not-found` for what is not there any more',
    run: async ({ open, missingLink }) => {
      const address = present(open().locate(missingLink), 'the address of a missing picture');
      await rejectsWithCode(open().fetchPicture(address, { maxBytes }), 'not-found');
    },
  },
  {
    name: 'ends at once when its signal is aborted',
    run: async ({ open, drop }) => {
      const address = present(open().locate(await drop(bytes)), 'the address of the picture');
      await rejectsWithReason((signal) => open().fetchPicture(address, { maxBytes, signal }));
    },
  },
];

/** Runs the suite on a `PictureSource`. */
export function pictureSourceContract(options: ContractOptions<PictureSourceFixture>): void {
  describeContract({ port: 'PictureSource', cases: pictureSourceCases }, options);
}
