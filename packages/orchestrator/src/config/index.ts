export { parseRunSettings, type RunSettings, runSettingsShape } from './run-settings.ts';
