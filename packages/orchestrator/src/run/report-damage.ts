import { parseTaskKeyJson } from '@agent/platforms';
import type { UnfinishedRun } from '@agent/run-store';
import { finalCommentTexts } from './final-comment-texts.ts';
import type { ConfiguredPlatform, RunParts } from './run.ts';
import { parseFactsJson } from './run-facts.ts';

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
  const { trigger } = left.platform;
  const ports = left.platform.platform.openThread(parseTaskKeyJson(metadata.taskKey));
  const thread = await ports.reader.readThread({ signal: parts.shutdown });
  if (!(await trigger.signs.shows({ ports, thread }, ['processing']))) return;
  const { locale } = parseFactsJson(metadata.extra);
  const text = finalCommentTexts[locale];
  const reason = `${text.reason} ${error.message}`;
  const body = [text.failed, reason, trigger.texts[locale].retry].join('\n\n');
  await ports.writer.ensureComment({ topic: `run:${uuid}:final`, body });
  await trigger.setState(ports, { state: 'failed', thread });
}
