export { type DecodedTextFile, decodeTextFile } from './decode-text-file.ts';
export { type EnvFileProblem, type ParsedEnvFile, parseEnvFile } from './parse-env-file.ts';
export { readCredentials } from './read-credentials.ts';
