import { geminiToMistral } from './gemini-to-mistral.ts';
import { lmStudioToDeepseek } from './lm-studio-to-deepseek.ts';
import { openaiToAnthropic } from './openai-to-anthropic.ts';
import { openrouterToOllama } from './openrouter-to-ollama.ts';
import { otherLanguagesAndFrames } from './other-languages-and-frames.ts';
import { togetherToGatewaysAndOthers } from './together-to-gateways-and-others.ts';
import type { VendorRefusal } from './vendor-refusal.ts';

/** Error answers of vendors, with the kinds that they have to be taken for. */
export const vendorRefusals: readonly VendorRefusal[] = [
  ...openaiToAnthropic,
  ...geminiToMistral,
  ...openrouterToOllama,
  ...lmStudioToDeepseek,
  ...togetherToGatewaysAndOthers,
  ...otherLanguagesAndFrames,
];
