import java.io.BufferedReader;
import java.io.FileReader;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import weka.classifiers.trees.Id3;
import weka.classifiers.trees.J48;
import weka.classifiers.trees.REPTree;
import weka.classifiers.trees.SimpleCart;
import weka.classifiers.trees.j48.BinC45Split;
import weka.classifiers.trees.j48.C45ModelSelection;
import weka.classifiers.trees.j48.C45PruneableClassifierTree;
import weka.classifiers.trees.j48.ClassifierSplitModel;
import weka.classifiers.trees.j48.ClassifierTree;
import weka.classifiers.trees.j48.Distribution;
import weka.classifiers.trees.j48.PruneableClassifierTree;
import weka.core.Attribute;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Utils;
import weka.core.Version;

/**
 * Grows trees with Weka 3.6 and writes what its objects hold, which is more than it prints.
 *
 * <p>Each line of the standard input is a job: a learner, a file, and options, separated by tabs. Each line of the
 * standard output is a tree in JSON. It lists the nodes in preorder; a node says
 *
 * <ul>
 *   <li>{@code counts}: the weight of each class;
 *   <li>{@code label}: the number of the class it answers, or -1;
 *   <li>for one that asks, {@code attribute} (its number), {@code kind} (threshold, multiway or subset),
 *       {@code value} (the threshold, or the values of the first branch), {@code sons} (the numbers of its children)
 *       and {@code shares} (of the weight with a known value).
 * </ul>
 *
 * <p>Id3 keeps no counts at inner nodes. They are counted here, from the rows that its own tests send there.
 *
 * <p>Under reduced-error pruning J48 and REPTree draw the rows that they hold out. Here the rows of {@code -held-out}
 * are named instead, so that others can hold out the same: row i, from 0, where i mod {@code -N} is {@code -H}. Growing
 * and pruning are the program's own. With {@code -U} the tree is not pruned. A node also says what of the held-out rows
 * it gets {@code wrong} as a leaf.
 */
public class GrowTrees {
  private final Instances data;
  private final List<String> nodes = new ArrayList<>();

  private GrowTrees(Instances data) {
    this.data = data;
  }

  public static void main(String[] arguments) throws Exception {
    Locale.setDefault(Locale.ROOT);
    BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    for (String job = jobs.readLine(); job != null; job = jobs.readLine()) {
      String[] parts = job.split("\t", -1);
      Instances data = new Instances(new BufferedReader(new FileReader(parts[1])));
      data.setClassIndex(data.numAttributes() - 1);
      String tree = new GrowTrees(data).grow(parts[0], Utils.splitOptions(parts[2]));
      System.out.println("{\"version\": " + quoted(Version.VERSION) + ", \"nodes\": [" + tree + "]}");
    }
  }

  private String grow(String learner, String[] options) throws Exception {
    switch (learner) {
      case "J48":
        J48 j48 = new J48();
        j48.setOptions(options);
        j48.buildClassifier(data);
        j48((ClassifierTree) field(j48, "m_root"), null, 0);
        break;
      case "J48-uncollapsed": // what later versions call -U -O: the tree as it was grown
        int minimum = Integer.parseInt(Utils.getOption('M', options));
        C45PruneableClassifierTree tree =
            new C45PruneableClassifierTree(new C45ModelSelection(minimum, data), false, 0.25f, false, true);
        tree.buildTree(data, false);
        j48(tree, null, 0);
        break;
      case "J48-held-out":
        j48(j48HeldOut(options), null, 0);
        break;
      case "REPTree-held-out":
        repTree(repTreeHeldOut(options), 0);
        break;
      case "SimpleCart":
        SimpleCart cart = new SimpleCart();
        cart.setOptions(options);
        cart.buildClassifier(data);
        simpleCart(cart);
        break;
      case "Id3":
        Id3 id3 = new Id3();
        id3.buildClassifier(data);
        id3(id3, data);
        break;
      default:
        throw new IllegalArgumentException(learner);
    }
    return String.join(", ", nodes);
  }

  /** What J48 does under -R, but for the drawing. As there, thresholds are values of any row, held out or not. */
  private ClassifierTree j48HeldOut(String[] options) throws Exception {
    int minimum = Integer.parseInt(Utils.getOption('M', options));
    PruneableClassifierTree tree =
        new PruneableClassifierTree(new C45ModelSelection(minimum, data), true, 0, false, 0);
    Instances[] parts = parts(options);
    tree.buildTree(parts[0], parts[1], false);
    if (!Utils.getFlag('U', options)) tree.prune();
    return tree;
  }

  /** What REPTree does, but for the drawing, and for adding the held-out rows to the leaves in the end. */
  private Object repTreeHeldOut(String[] options) throws Exception {
    Instances[] parts = parts(options);
    boolean unpruned = Utils.getFlag('U', options);
    REPTree grower = new REPTree();
    grower.setOptions(options);
    grower.setNoPruning(true);
    grower.buildClassifier(parts[0]);
    Object tree = field(grower, "m_Tree");
    method(tree, "insertHoldOutSet", Instances.class).invoke(tree, parts[1]);
    if (!unpruned) method(tree, "reducedErrorPrune").invoke(tree);
    return tree;
  }

  /** The rows to grow from, and those that are held out. */
  private Instances[] parts(String[] options) throws Exception {
    int folds = Integer.parseInt(Utils.getOption('N', options));
    int heldOut = Integer.parseInt(Utils.getOption('H', options));
    Instances[] parts = {new Instances(data, 0), new Instances(data, 0)};
    for (int i = 0; i < data.numInstances(); i++) parts[i % folds == heldOut ? 1 : 0].add(data.instance(i));
    return parts;
  }

  /** A node of J48. The label of an empty leaf is that of its branch in the model above. */
  private void j48(ClassifierTree tree, ClassifierSplitModel above, int branch) throws Exception {
    ClassifierSplitModel model = (ClassifierSplitModel) field(tree, "m_localModel");
    boolean empty = (Boolean) field(tree, "m_isEmpty");
    Distribution held = model.distribution();
    double[] counts = new double[held.numClasses()];
    for (int k = 0; k < counts.length; k++) counts[k] = held.perClass(k);
    int id = reserve();
    String said = answer(counts, empty && above != null ? above.distribution().maxClass(branch) : held.maxClass());
    if (!(Boolean) field(tree, "m_isLeaf")) {
      ClassifierTree[] sons = (ClassifierTree[]) field(tree, "m_sons");
      Attribute attribute = data.attribute((Integer) field(model, "m_attIndex"));
      double point = (Double) field(model, "m_splitPoint");
      double[] shares = new double[sons.length];
      List<Integer> below = new ArrayList<>();
      for (int i = 0; i < sons.length; i++) {
        shares[i] = held.perBag(i) / held.total();
        below.add(nodes.size());
        j48(sons[i], model, i);
      }
      if (attribute.isNumeric()) said += test(attribute, "threshold", number(point), below, shares);
      else if (model instanceof BinC45Split) said += test(attribute, "subset", "[" + (int) point + "]", below, shares);
      else said += test(attribute, "multiway", "null", below, shares);
    }
    if (tree instanceof PruneableClassifierTree) said += wrong((Double) method(tree, "errorsForLeaf").invoke(tree));
    nodes.set(id, "{" + said + "}");
  }

  private void simpleCart(SimpleCart tree) throws Exception {
    double[] counts = (double[]) field(tree, "m_Distribution");
    int id = reserve();
    String said = answer(counts, Utils.maxIndex((double[]) field(tree, "m_ClassProbs")));
    if (!(Boolean) field(tree, "m_isLeaf")) {
      Attribute attribute = (Attribute) field(tree, "m_Attribute");
      String value = attribute.isNumeric()
          ? number((Double) field(tree, "m_SplitValue"))
          : valuesIn(attribute, (String) field(tree, "m_SplitString"));
      List<Integer> below = new ArrayList<>();
      for (SimpleCart son : (SimpleCart[]) field(tree, "m_Successors")) {
        below.add(nodes.size());
        simpleCart(son);
      }
      String kind = attribute.isNumeric() ? "threshold" : "subset";
      said += test(attribute, kind, value, below, (double[]) field(tree, "m_Props"));
    }
    nodes.set(id, "{" + said + "}");
  }

  /** A node of REPTree. One that no row reaches answers what the node above does. */
  private void repTree(Object tree, int above) throws Exception {
    double[] shares = (double[]) field(tree, "m_ClassProbs");
    int label = shares == null ? above : Utils.maxIndex(shares);
    int id = reserve();
    String said = answer((double[]) field(tree, "m_Distribution"), label);
    int asked = (Integer) field(tree, "m_Attribute");
    if (asked >= 0) {
      Attribute attribute = data.attribute(asked);
      List<Integer> below = new ArrayList<>();
      for (Object son : (Object[]) field(tree, "m_Successors")) {
        below.add(nodes.size());
        repTree(son, label);
      }
      String value = attribute.isNumeric() ? number((Double) field(tree, "m_SplitPoint")) : "null";
      String kind = attribute.isNumeric() ? "threshold" : "multiway";
      said += test(attribute, kind, value, below, (double[]) field(tree, "m_Prop"));
    }
    nodes.set(id, "{" + said + wrong((Double) field(tree, "m_HoldOutError")) + "}");
  }

  private void id3(Id3 tree, Instances rows) throws Exception {
    double[] counts = new double[rows.numClasses()];
    for (int i = 0; i < rows.numInstances(); i++) counts[(int) rows.instance(i).classValue()]++;
    int id = reserve();
    Attribute attribute = (Attribute) field(tree, "m_Attribute");
    double held = (Double) field(tree, "m_ClassValue");
    boolean none = attribute == null && Instance.isMissingValue(held);
    String said = answer(counts, none ? -1 : attribute == null ? (int) held : Utils.maxIndex(counts));
    if (attribute != null) {
      Id3[] sons = (Id3[]) field(tree, "m_Successors");
      List<Integer> below = new ArrayList<>();
      for (int v = 0; v < sons.length; v++) {
        Instances part = new Instances(rows, 0);
        for (int i = 0; i < rows.numInstances(); i++) {
          if ((int) rows.instance(i).value(attribute) == v) part.add(rows.instance(i));
        }
        below.add(nodes.size());
        id3(sons[v], part);
      }
      said += test(attribute, "multiway", "null", below, new double[0]);
    }
    nodes.set(id, "{" + said + "}");
  }

  private int reserve() {
    nodes.add(null);
    return nodes.size() - 1;
  }

  private static String answer(double[] counts, int label) {
    return "\"counts\": " + numbers(counts) + ", \"label\": " + label;
  }

  private static String wrong(double weight) {
    return ", \"wrong\": " + number(weight);
  }

  private static String test(Attribute attribute, String kind, String value, List<Integer> sons, double[] shares) {
    return String.format(
        ", \"attribute\": %d, \"kind\": \"%s\", \"value\": %s, \"sons\": %s, \"shares\": %s",
        attribute.index(), kind, value, sons, numbers(shares));
  }

  /** The numbers of the values that a split string, {@code (a)|(b)}, sends to the first branch. */
  private static String valuesIn(Attribute attribute, String split) {
    List<Integer> found = new ArrayList<>();
    for (int v = 0; v < attribute.numValues(); v++) {
      if (split.indexOf("(" + attribute.value(v) + ")") != -1) found.add(v); // as SimpleCart itself asks
    }
    return found.toString();
  }

  private static String numbers(double[] values) {
    return Arrays.toString(values);
  }

  private static String number(double value) {
    return Double.toString(value);
  }

  private static String quoted(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
  }

  /** What a field of an object holds, whichever class of its ancestry declares it. */
  private static Object field(Object object, String name) throws Exception {
    for (Class<?> c = object.getClass(); c != null; c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          field.setAccessible(true);
          return field.get(object);
        }
      }
    }
    throw new NoSuchFieldException(name);
  }

  private static Method method(Object object, String name, Class<?>... parameters) throws Exception {
    Method method = object.getClass().getDeclaredMethod(name, parameters);
    method.setAccessible(true);
    return method;
  }
}
