/** What went over the wire so far. */
export interface Traffic {
  readonly requests: number;
  /** Those that GitHub takes off the primary limit: every answer but 304. */
  readonly counted: number;
  /** Of the answers: status line, headers and body. */
  readonly bytes: number;
}

/** A fetch that counts, and what it has counted. */
export interface MeteredFetch {
  readonly fetch: typeof globalThis.fetch;
  readonly read: () => Traffic;
}

/** Counts what comes down. Bodies are counted by their `content-length`, so that nobody has to read them twice. */
export function createMeteredFetch(fetch: typeof globalThis.fetch = globalThis.fetch): MeteredFetch {
  let traffic: Traffic = { requests: 0, counted: 0, bytes: 0 };
  return {
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      traffic = addTraffic(traffic, {
        requests: 1,
        counted: answer.status === 304 ? 0 : 1,
        bytes: countBytes(answer),
      });
      return answer;
    },
    read: () => traffic,
  };
}

/** What was counted between two readings. */
export function subtractTraffic(after: Traffic, before: Traffic): Traffic {
  return {
    requests: after.requests - before.requests,
    counted: after.counted - before.counted,
    bytes: after.bytes - before.bytes,
  };
}

function addTraffic(one: Traffic, other: Traffic): Traffic {
  return {
    requests: one.requests + other.requests,
    counted: one.counted + other.counted,
    bytes: one.bytes + other.bytes,
  };
}

const lineEnd = 2;

function countBytes({ status, statusText, headers }: Response): number {
  let bytes = `HTTP/1.1 ${status} ${statusText}`.length + lineEnd;
  for (const [name, value] of headers) bytes += `${name}: ${value}`.length + lineEnd;
  return bytes + lineEnd + Number(headers.get('content-length') ?? 0);
}
