import { readJsonAnswer } from '@agent/text/json';
import { z } from 'zod';

const phaseAnswer = z.object({
  phase: z.enum([
    'planning',
    'execution',
    'reflection',
    'revision',
    'replanning',
    'verification',
    'completion',
  ]),
});

/** Tells whether a text holds the JSON of a phase: those are between model and code, and no last words for people. */
export function isPhaseAnswer(text: string): boolean {
  return text.includes('phase') && readJsonAnswer(text, phaseAnswer).status === 'read';
}
