// Contrast, from computed styles: window.look.faintText() and window.look.faintMarks().
(() => {
  const {remembered, called, texts, hidden} = window.look;
  const pixel = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});

  // Any CSS colour as [red, green, blue, alpha], the last from 0 to 1.
  const colour = remembered((text) => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = text;
    pixel.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  });

  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  const luminance = (channels) => channels.slice(0, 3)
    .map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (one, other) => {
    const [high, low] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };

  const opacity = (element, until) => {
    let product = 1;
    for (let at = element; at && at !== until; at = at.parentElement) product *= Number(getComputedStyle(at).opacity);
    return product;
  };
  const faded = ([r, g, b, a], by) => [r, g, b, a * by];

  // What lies behind an element, itself included: the backgrounds of all around it.
  const ground = remembered((element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (at.closest("svg") && at.tagName !== "svg") continue;
      layers.push(faded(colour(style.backgroundColor), opacity(at)));
      if (layers.at(-1)[3] >= 0.999) break;
    }
    return layers.reverse().reduce((below, layer) => over(layer, below), colour("Canvas"));
  });

  const paint = (element, what) => {
    const style = getComputedStyle(element);
    if (style[what] === "none" || what === "stroke" && parseFloat(style.strokeWidth) === 0) return null;
    return faded(colour(style[what]), Number(style[what + "Opacity"]) * opacity(element, element.closest("svg")));
  };

  const shapes = remembered((drawing) => [...drawing.querySelectorAll("rect, circle, ellipse, path, polygon")]
    .map((shape) => ({shape, box: shape.getBoundingClientRect(), fill: paint(shape, "fill")})).filter(({fill}) => fill && fill[3] > 0));

  // The colours a label of a drawing lies on: the page's, and those of the shapes painted below it, one on another.
  const underLabel = (label, box) => {
    const drawing = label.closest("svg");
    let grounds = [ground(drawing)];
    for (const {shape, box: other, fill} of shapes(drawing)) {
      const meet = other.left < box.right && box.left < other.right && other.top < box.bottom && box.top < other.bottom;
      if (!meet || !(label.compareDocumentPosition(shape) & Node.DOCUMENT_POSITION_PRECEDING)) continue;
      const covered = shape.tagName === "rect" && other.left <= box.left && box.right <= other.right && other.top <= box.top && box.bottom <= other.bottom;
      const laid = over(fill, grounds.at(-1));
      grounds = covered ? [laid] : [...grounds, laid];
    }
    return grounds;
  };

  const faintText = (least) => {
    const faults = [];
    for (const {element, text, boxes} of texts(document.body)) {
      const drawn = element.closest("svg") !== null;
      const grounds = drawn ? underLabel(element.closest("text"), boxes[0]) : [ground(element)];
      const ink = drawn ? paint(element, "fill") : faded(colour(getComputedStyle(element).color), opacity(element));
      const ratio = Math.min(...grounds.map((below) => contrast(over(ink, below), below)));
      if (ratio < least) faults.push(`“${text.slice(0, 40)}” in ${called(element)} has contrast ${ratio.toFixed(2)}`);
    }
    return faults;
  };

  // A mark is every shape of a drawing and every coloured box without text: bar, dot, whisker, band, swatch.
  // Grid lines only help the eye and are none.
  const faintMarks = (least) => {
    const faults = [];
    for (const mark of document.querySelectorAll("svg :is(rect, circle, ellipse, line, path, polygon, polyline)")) {
      if (mark.closest(".grid, defs, clipPath") || hidden(mark)) continue;
      const box = mark.getBoundingClientRect();
      if (box.width < 0.5 && box.height < 0.5) continue;
      const below = ground(mark.closest("svg"));
      const paints = [paint(mark, "fill"), paint(mark, "stroke")].filter((ink) => ink && ink[3] > 0);
      if (!paints.length) continue;
      const ratio = Math.max(...paints.map((ink) => contrast(over(ink, below), below)));
      if (ratio < least) faults.push(`${called(mark)} has contrast ${ratio.toFixed(2)} in ${called(mark.closest("figure") || mark.closest("svg"))}`);
    }
    for (const box of document.body.querySelectorAll("*:not(svg, svg *)")) {
      const size = box.getBoundingClientRect();
      if (box.textContent.trim() || box.querySelector("svg") || size.width < 3 || size.height < 3 || hidden(box)) continue;
      const ink = colour(getComputedStyle(box).backgroundColor);
      if (ink[3] === 0) continue;
      const below = ground(box.parentElement), ratio = contrast(over(ink, below), below);
      if (ratio < least) faults.push(`${called(box)} has contrast ${ratio.toFixed(2)}`);
    }
    return faults;
  };

  Object.assign(window.look, {faintText, faintMarks});
})();
