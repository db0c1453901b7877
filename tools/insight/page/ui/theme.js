// Light or dark, as the system says or the reader chose, and the colours of what is painted.
import {h} from './dom.js';

const themes = ['auto', 'light', 'dark'];

/** Returns whether the page is dark now. */
export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen && chosen !== 'auto' ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

/** Returns the button that goes through the themes, and calls `changed` when colours have changed. */
export function themeButton(changed) {
  const button = h('button', {type: 'button', onclick: () => set(themes[(themes.indexOf(current()) + 1) % themes.length])});
  const current = () => document.documentElement.dataset.theme ?? 'auto';
  const set = theme => {
    document.documentElement.dataset.theme = theme;
    button.textContent = {auto: '◐', light: '○', dark: '●'}[theme];
    button.setAttribute('aria-label', `Colours: ${theme}`);
    button.title = `Colours: ${theme}`;
    changed();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  set('auto');
  return button;
}

/**
 * Returns the colour of the n-th of `count` things and that of text on it. Categories have hues of their own; a scale runs
 * from pale to deep.
 * @param {'warp' | 'lane' | 'register' | 'offset'} kind
 */
export function shade(kind, n, count, dark) {
  let light, chroma, hue;
  if (kind === 'warp') {
    hue = (250 + n * (count <= 8 ? 360 / Math.max(count, 2) : 137.5)) % 360;
    light = (dark ? 0.46 : 0.84) - (n % 2) * 0.05;
    chroma = 0.09;
  } else {
    const t = count > 1 ? n / (count - 1) : 0;
    light = dark ? 0.30 + 0.50 * t : 0.95 - 0.50 * t;
    chroma = 0.03 + 0.09 * t;
    hue = {lane: 245 - 70 * t, register: 75 - 40 * t, offset: 320 - 60 * t}[kind] ?? 245;
  }
  return {fill: `oklch(${light.toFixed(3)} ${chroma.toFixed(3)} ${hue.toFixed(1)})`, ink: light > 0.62 ? '#15171c' : '#ffffff'};
}
