/** Parts of names of models that cannot chat: they embed, rerank, transcribe, speak, draw, or moderate. */
const others =
  /embed|rerank|\bbge-|\bgte-|\be5-|minilm|paraphrase|sentence-|\bclip\b|whisper|transcri|parakeet|\btts|kokoro|speech|stable-diffusion|\bflux|dall-e|gpt-image|moderation/i;

/** Tells by its name whether a model can probably chat. Lists of model servers contain all models that are installed. */
export function isChatModel(name: string): boolean {
  return !others.test(name);
}
