import type { Bench } from '../report.ts';
import { measurePrefix } from './measure-prefix.ts';
import { measureTranscript, type TranscriptTimes } from './measure-transcript.ts';
import { toTranscriptReport } from './transcript-report.ts';

const counts = [200, 1_000, 10_000, 100_000] as const;
const threadLength = 500;

/** What a transcript costs as its thread grows, and how much of it stays the same from turn to turn. */
export const transcriptBench: Bench = {
  name: 'transcript',
  run: async ({ onProgress }) => {
    const times: TranscriptTimes[] = [];
    for (const count of counts) {
      onProgress(`${count} messages`);
      times.push(await measureTranscript(count));
    }
    onProgress(`a thread of ${threadLength}, prompt by prompt`);
    const plain = await measurePrefix(threadLength, { stable: false });
    const stable = await measurePrefix(threadLength, { stable: true });
    return toTranscriptReport({ times, threadLength, prefix: { plain, stable } });
  },
};
