import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ContextStoreError } from '../context-store-error.ts';
import type { CarriedFiles } from './carried-files.ts';

/** Fewest characters of a key: those of `openssl rand -hex 16`. */
const minKeyChars = 32;

/** Bytes of a file that are encrypted together: a file that grows changes only at its end. */
const chunkBytes = 64 * 1024;
const nonceBytes = 12;
const tagBytes = 16;
/** Length and nonce before each chunk. */
const headBytes = 4 + nonceBytes;

/** Encrypts files for a place that others can read. */
export interface FileSeal {
  readonly seal: (files: CarriedFiles) => CarriedFiles;
  /** @throws {ContextStoreError} `damaged` for files that were sealed with another key, or changed since */
  readonly open: (files: CarriedFiles) => CarriedFiles;
}

/**
 * Creates a seal from a secret of at least 32 characters: AES-256-GCM, with a nonce that depends on path and contents, so that files that do
 * not change look the same in each version. Paths and sizes can be read without the key.
 *
 * @throws {ContextStoreError} `invalid` for a key that is too short
 */
export function createFileSeal(key: string): FileSeal {
  if (key.length < minKeyChars) {
    const message = `The key of the record has ${key.length} characters. Give at least ${minKeyChars}, such as the output of "openssl rand -hex 32".`;
    throw new ContextStoreError(message, { code: 'invalid' });
  }
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', key, 'agent record', purpose, 32));
  const keys: Keys = { contents: derive('contents'), nonces: derive('nonces') };
  return {
    seal: (files) => mapFiles(files, (contents, path) => sealFile(contents, path, keys)),
    open: (files) => mapFiles(files, (contents, path) => openFile(contents, path, keys)),
  };
}

interface Keys {
  readonly contents: Buffer;
  readonly nonces: Buffer;
}

function mapFiles(
  files: CarriedFiles,
  change: (contents: Uint8Array, path: string) => Uint8Array,
): CarriedFiles {
  return new Map([...files].map(([path, contents]) => [path, change(contents, path)]));
}

function sealFile(contents: Uint8Array, path: string, keys: Keys): Uint8Array {
  const count = Math.max(1, Math.ceil(contents.length / chunkBytes));
  const sealed = Array.from({ length: count }, (_, index) => {
    const chunk = deflateRawSync(contents.subarray(index * chunkBytes, (index + 1) * chunkBytes));
    const place = nameChunk(path, { index, isLast: index === count - 1 });
    const nonce = createHmac('sha256', keys.nonces)
      .update(place)
      .update(chunk)
      .digest()
      .subarray(0, nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', keys.contents, nonce).setAAD(place);
    const text = Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return Buffer.concat([length, nonce, text]);
  });
  return Buffer.concat(sealed);
}

/** No chunk can stand for another one, nor a file without its end for a whole one. */
function nameChunk(
  path: string,
  { index, isLast }: { readonly index: number; readonly isLast: boolean },
): Buffer {
  return Buffer.from(`${path}\0${index}\0${isLast}\0`);
}

function openFile(sealed: Uint8Array, path: string, keys: Keys): Uint8Array {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const chunks: Buffer[] = [];
  try {
    for (let at = 0; at < bytes.length; ) {
      const end = at + headBytes + bytes.readUInt32BE(at);
      const nonce = bytes.subarray(at + 4, at + headBytes);
      const text = bytes.subarray(at + headBytes, end - tagBytes);
      const place = nameChunk(path, { index: chunks.length, isLast: end >= bytes.length });
      const decipher = createDecipheriv('aes-256-gcm', keys.contents, nonce, { authTagLength: tagBytes });
      decipher.setAAD(place).setAuthTag(bytes.subarray(end - tagBytes, end));
      const deflated = Buffer.concat([decipher.update(text), decipher.final()]);
      chunks.push(inflateRawSync(deflated, { maxOutputLength: chunkBytes }));
      at = end;
    }
  } catch (cause) {
    const message = `"${path}" of the record cannot be decrypted: it was encrypted with another key, or changed since. Set the key of before, or remove the record and start the task again.`;
    throw new ContextStoreError(message, { code: 'damaged', cause });
  }
  return Buffer.concat(chunks);
}
