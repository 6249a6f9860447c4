import { parseTaskKeyJson } from '@agent/platforms';
import type { UnfinishedRun } from '@agent/run-store';
import { finalCommentTexts } from './final-comment-texts.ts';
import { moveLabel } from './move-label.ts';
import { parseFactsJson } from './run-facts.ts';
import type { ConfiguredPlatform, RunParts } from './run-parts.ts';

/**
 * Tells the thread of a run whose journal cannot be read, so that it does not say "processing" for ever. The
 * directory stays as it is, for somebody to look at.
 */
export async function reportDamage(
  parts: RunParts,
  left: { readonly unfinished: UnfinishedRun; readonly platform: ConfiguredPlatform },
  error: Error,
): Promise<void> {
  const { uuid, metadata } = left.unfinished;
  const { labels } = left.platform;
  const ports = left.platform.platform.openThread(parseTaskKeyJson(metadata.taskKey));
  const { labels: present } = await ports.reader.readThread({ signal: parts.shutdown });
  if (!present.some((name) => name.toLowerCase() === labels.processing.toLowerCase())) return;
  const text = finalCommentTexts[parseFactsJson(metadata.extra).locale];
  const reason = `${text.reason} ${error.message}`;
  const body = [text.failed, reason, text.retry(labels.waiting)].join('\n\n');
  await ports.writer.ensureComment({ topic: `run:${uuid}:final`, body });
  await moveLabel(ports.labels, { state: 'failed', present }, { labels });
}
