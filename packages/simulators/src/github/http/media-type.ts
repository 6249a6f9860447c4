import type { IncomingHttpHeaders } from 'node:http';

/**
 * The form that a client asks for in its Accept header: `json` unless it names one of GitHub's others.
 * @see https://docs.github.com/rest/using-the-rest-api/getting-started-with-the-rest-api#media-types
 */
export function mediaTypeOf(headers: IncomingHttpHeaders): 'json' | 'raw' | 'diff' | 'patch' {
  const [, named] = /application\/vnd\.github(?:\.v3)?\.(raw|diff|patch)\b/.exec(headers.accept ?? '') ?? [];
  return named === 'raw' || named === 'diff' || named === 'patch' ? named : 'json';
}

/** `X-GitHub-Media-Type`: what the answer was made for. */
export function mediaTypeHeader(headers: IncomingHttpHeaders): string {
  const form = mediaTypeOf(headers);
  return form === 'json' ? 'github.v3; format=json' : `github.v3; param=${form}`;
}
