// @ts-check
/** The viewer on the site: its blocks stand in scripts, since `file://` fetches nothing. */
(() => {
  const page = /** @type {any} */ (globalThis);
  page.EXPERIENCE_BLOCKS = {};

  /** @param {string} file @returns {Promise<string>} */
  function load(file) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = file;
      script.onload = () => resolve(page.EXPERIENCE_BLOCKS[file]);
      script.onerror = () => reject(new Error(file));
      document.head.append(script);
    });
  }

  const place = /** @type {HTMLElement} */ (document.getElementById("viewer"));
  page.ExperienceViewer.render(page.EXPERIENCE_SNAPSHOT, place, load);
})();
