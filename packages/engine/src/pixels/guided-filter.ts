import { allocate, withArena } from '../runtime/arena.ts';
import { boxMean } from './box-mean.ts';
import { applyFit, fitColour, fitGrey, type GuidedFit, multiply } from './kernels/wasm-kernels.ts';
import { channelsOf, lumaPlane, mapChannels, type Picture } from './picture.ts';
import { allocatePlane, type Plane, planeOf, type Size } from './plane.ts';
import { reduce, reducePicture } from './reduce.ts';

/**
 * The guided filter of He, Sun and Tang (2013). In every window the plane is fitted by a linear function of the guide;
 * the means of those functions over all windows that hold a pixel are applied to the guide there. So the result is as
 * smooth as the guide and has its edges. Fitted at half size.
 */

const factor = 2;

interface GuidedFilter {
  /** As large as the plane. */
  guide: Picture;
  plane: Plane;
  /** Half of a window's side. */
  radius: number;
  /** The variance below which a window counts as flat. */
  epsilon: number;
}

/** Makes a soft plane follow the edges of a picture, between colours of one lightness too. */
export function guidedFilter({ guide, plane, radius, epsilon }: GuidedFilter): Plane {
  return withArena(() => {
    const reach = reachOf(radius);
    const [red, green, blue] = channelsOf(reducePicture(guide, factor));
    const small = reduce(plane, factor);
    const means = [red, green, blue, small].map((values) => boxMean(values, reach).data);
    const products = [
      [red, small],
      [green, small],
      [blue, small],
      [red, red],
      [red, green],
      [red, blue],
      [green, green],
      [green, blue],
      [blue, blue],
    ].map(([a, b]) => meanProduct(a!, b!, reach).data);
    const fit = allocateFit(small, 3);
    fitColour({ means, products, epsilon, fit });
    return applyMeanFit(guide.planes, fit, guide, reach);
  });
}

/**
 * Edge-preserving smoothing with the picture's luma as the guide of all three channels, which spares the 3 × 3 system
 * of a colour guide at every pixel. `contrast` is how strong an edge has to be to stay.
 */
export function smoothKeepingEdges(picture: Picture, radius: number, contrast: number): Picture {
  return withArena(() => {
    const luma = lumaPlane(picture);
    const guide = windowsOf(luma, radius);
    return mapChannels(picture, (channel) =>
      withArena(() => {
        const small = reduce(channel, factor);
        const mean = boxMean(small, guide.reach);
        const product = meanProduct(guide.small, small, guide.reach);
        return applyMeanFit([luma.data], fitToGrey(guide, mean, product, contrast), luma, guide.reach);
      }),
    );
  });
}

/** The same for one plane, guided by itself. */
export function smoothPlane(plane: Plane, radius: number, contrast: number): Plane {
  return withArena(() => {
    const guide = windowsOf(plane, radius);
    return applyMeanFit(
      [plane.data],
      fitToGrey(guide, guide.mean, guide.square, contrast),
      plane,
      guide.reach,
    );
  });
}

/** Half of a window's side, at the size of the fit. */
function reachOf(radius: number): number {
  return Math.max(1, Math.round(radius / factor));
}

function meanProduct(a: Plane, b: Plane, reach: number): Plane {
  return withArena(() => {
    const product = allocatePlane(a);
    multiply(a, b, product.data);
    return boxMean(product, reach);
  });
}

function allocateFit({ width, height }: Size, guides: 1 | 3): GuidedFit {
  const slopes = Array.from({ length: guides }, () => allocate(width * height));
  return { width, height, slopes, offset: allocate(width * height) };
}

/** A grey guide at the size of the fit, with its means and those of its square. */
interface GreyWindows {
  small: Plane;
  reach: number;
  mean: Plane;
  square: Plane;
}

function windowsOf(guide: Plane, radius: number): GreyWindows {
  const small = reduce(guide, factor);
  const reach = reachOf(radius);
  return { small, reach, mean: boxMean(small, reach), square: meanProduct(small, small, reach) };
}

/** `planeMean` and `product` are means over windows: of the plane, and of the plane times the guide. */
function fitToGrey(guide: GreyWindows, planeMean: Plane, product: Plane, contrast: number): GuidedFit {
  const fit = allocateFit(planeMean, 1);
  fitGrey({
    mean: guide.mean.data,
    square: guide.square.data,
    planeMean: planeMean.data,
    product: product.data,
    epsilon: contrast * contrast,
    fit,
  });
  return fit;
}

/** Applies the mean of the windows around each pixel to the guides at their full size. */
function applyMeanFit(guides: readonly Float32Array[], fit: GuidedFit, size: Size, reach: number): Plane {
  const mean = (values: Float32Array) => boxMean(planeOf(values, fit), reach).data;
  return withArena(() => {
    const result = allocatePlane(size);
    applyFit(guides, { ...fit, slopes: fit.slopes.map(mean), offset: mean(fit.offset) }, result);
    return result;
  });
}
