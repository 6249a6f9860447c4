import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import * as z from 'zod';
import type { KeptAnswer } from './shared-answers.ts';

/** An answer that can be given again once the platform says that its ETag still holds. */
export interface OpenedAnswer extends z.output<typeof contentSchema> {
  readonly tag: string;
}

/** Makes keys and contents that only who has the credential can read or write. */
export interface AnswerSeal {
  /** Stands for the address and for what the answer depends on beside it. */
  readonly keyOf: (url: string, headers: Headers) => string;
  /** Compresses and encrypts an answer; null for one that is too large, or must not be given again. */
  readonly close: (
    key: string,
    answer: { readonly tag: string; readonly url: string; readonly response: Response },
  ) => Promise<KeptAnswer | null>;
  /** Null for a content that was not sealed with this credential for this key and ETag, or is damaged. */
  readonly open: (key: string, kept: KeptAnswer) => Promise<OpenedAnswer | null>;
}

/** Characters of the longest body that is kept. */
const maxBodyChars = 4 * 1_048_576;

/** Bytes of the largest content that is kept. */
const maxContentBytes = 524_288;

const contentSchema = z.object({
  contentType: z.string(),
  link: z.string().nullable(),
  body: z.string(),
});

const compress = promisify(gzip);
const decompress = promisify(gunzip);
const [nonceBytes, proofBytes] = [12, 16];

/** Seals with keys that are derived from the token that was asked with: AES-256-GCM, and HMAC-SHA-256 for the names. */
export function createAnswerSeal({
  token,
  baseUrl,
}: {
  readonly token: string;
  readonly baseUrl: string;
}): AnswerSeal {
  const derived = Buffer.from(hkdfSync('sha256', token, baseUrl, 'shared answers', 64));
  const [namesKey, contentsKey] = [derived.subarray(0, 32), derived.subarray(32)];
  return {
    keyOf: (url, headers) => {
      const asked = [url, headers.get('accept'), headers.get('x-github-api-version')];
      return createHmac('sha256', namesKey).update(JSON.stringify(asked)).digest('base64url');
    },
    close: async (key, { tag, url, response }) => {
      const body = await response.text();
      if (body.length > maxBodyChars || (await isFullEnd(url, response))) return null;
      const contentType = response.headers.get('content-type') ?? '';
      const given = { contentType, link: response.headers.get('link'), body } satisfies z.input<
        typeof contentSchema
      >;
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', contentsKey, nonce).setAAD(Buffer.from(key + tag));
      const sealed = [cipher.update(await compress(JSON.stringify(given))), cipher.final()];
      const content = Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]);
      return content.length > maxContentBytes ? null : { tag, content };
    },
    open: async (key, { tag, content }) => {
      const end = content.length - proofBytes;
      try {
        const nonce = content.subarray(0, nonceBytes);
        const cipher = createDecipheriv('aes-256-gcm', contentsKey, nonce).setAAD(Buffer.from(key + tag));
        cipher.setAuthTag(content.subarray(end));
        const packed = Buffer.concat([cipher.update(content.subarray(nonceBytes, end)), cipher.final()]);
        return { tag, ...contentSchema.parse(JSON.parse((await decompress(packed)).toString())) };
      } catch {
        return null;
      }
    },
  };
}

/** A full last page stays as it is when a page is added behind it, so that its "not modified" would hide that page. */
async function isFullEnd(url: string, response: Response): Promise<boolean> {
  if (/;\s*rel="next"/u.test(response.headers.get('link') ?? '')) return false;
  const pageSize = Number(new URL(url).searchParams.get('per_page') ?? defaultPageSize);
  const value: unknown = await response.json();
  return Array.isArray(value) && value.length >= pageSize;
}

/** GitHub's, where a request names none. */
const defaultPageSize = 30;
