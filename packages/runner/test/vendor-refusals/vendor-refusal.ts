import type { ModelFailure, ModelFailureKind } from '../../src/index.ts';

/** An error answer of an endpoint, and what it has to be taken for. */
export interface VendorRefusal {
  readonly vendor: string;
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly kind: ModelFailureKind;
  readonly known?: Partial<Pick<ModelFailure, 'retryAfterMs' | 'limitTokens' | 'requestTokens'>>;
  /** Public report with the answer, read on 2026-11-28; left out where the answer follows the vendor's pattern and was not found in a report. */
  readonly source?: string;
}

export const github = (path: string): string => `https://github.com/${path}`;

/** Answers in the form of many OpenAI-compatible servers. */
export const openai = (message: string, fields: object = {}) => ({ error: { message, ...fields } });
