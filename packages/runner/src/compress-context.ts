import type { TokenUsage } from './model.ts';
import type { ContextCompressor } from './ports.ts';
import type { Run } from './run.ts';

/** Makes the context smaller where it has to be. A compression that fails leaves it as it is. */
export async function compressContext(run: Run): Promise<void> {
  const { compressor } = run.options;
  if (!compressor) return;
  const compressed = await compress(run, compressor);
  if (compressed === null) return;
  const summary = { ...compressed.summary, text: run.hideKnownSecrets(compressed.summary.text) };
  await run.conversation.replace(compressed.messages, summary);
  run.emit({ type: 'context-compressed', startSeq: summary.startSeq, endSeq: summary.endSeq });
}

async function compress(run: Run, compressor: ContextCompressor): ReturnType<ContextCompressor['compress']> {
  const { messages, seqs, instructions } = run.conversation;
  const onWastedCall = (usage: TokenUsage) => run.conversation.spend(usage);
  const { hardSignal: signal } = run.options;
  try {
    return await compressor.compress({ messages, seqs, instructions, onWastedCall, signal });
  } catch (err) {
    run.logger?.warn({ err }, 'could not compress the context; going on with the whole');
    return null;
  }
}
