import type { Locale } from '@agent/text';
import type { ModelFailure } from './classify-model-error.ts';
import { fitStart } from './fit-tool-output.ts';
import type { HideKnownSecrets } from './ports.ts';
import { runTexts } from './texts.ts';

/** Options of the description of a model's failure. */
export interface DescribeFailureOptions {
  readonly locale: Locale;
  /** Milliseconds that the call was allowed to take; named where it took longer. */
  readonly timeoutMs: number;
  /** Takes secrets out of the endpoint's words before they are cut. Default: leaves them as they are. */
  readonly hideKnownSecrets?: HideKnownSecrets | undefined;
}

const maxDetailChars = 300;

/** Says why a model call failed and what to do about it, without the endpoint's address. */
export function describeModelFailure(
  failure: Pick<ModelFailure, 'kind' | 'status' | 'detail'>,
  { locale, timeoutMs, hideKnownSecrets = (text) => text }: DescribeFailureOptions,
): string {
  const words = failure.detail;
  const detail = words === null ? null : fitStart(hideKnownSecrets(words), { maxChars: maxDetailChars });
  return runTexts(locale).modelFailed({ ...failure, detail, timeoutMs });
}
